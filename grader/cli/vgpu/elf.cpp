// Reads the section headers, which linkers write and strip keeps. A program without them runs, but
// we know nothing about it beforehand.
#include "cli/vgpu/elf.h"

#include <elf.h>

#include <array>
#include <cstring>

namespace lab {
namespace {

#if defined(__aarch64__)
constexpr auto kMachine = EM_AARCH64;
#else
constexpr auto kMachine = EM_X86_64;
#endif

class Reader {
public:
    explicit Reader(std::span<const std::byte> file) : file_(file) {}

    /// The `index`th T from `offset`, or nothing beyond the file's end.
    template <typename T>
    std::optional<T> at(std::uint64_t offset, std::uint64_t index = 0) const {
        T value;
        if (offset > file_.size() || index > file_.size() / sizeof(T)) return std::nullopt;
        if (file_.size() - offset < (index + 1) * sizeof(T)) return std::nullopt;
        std::memcpy(&value, file_.data() + offset + index * sizeof(T), sizeof(T));
        return value;
    }

    std::string text(const Elf64_Shdr& strings, std::uint64_t offset) const {
        if (offset >= strings.sh_size || strings.sh_offset > file_.size() ||
            strings.sh_size > file_.size() - strings.sh_offset) {
            return {};
        }
        const char* const begin =
            reinterpret_cast<const char*>(file_.data()) + strings.sh_offset + offset;
        return {begin, strnlen(begin, strings.sh_size - offset)};
    }

private:
    std::span<const std::byte> file_;
};

void read_dynamic(const Reader& reader, const Elf64_Shdr& section, const Elf64_Shdr& strings,
                  Elf& elf) {
    elf.is_dynamic = true;
    for (std::uint64_t i = 0; i < section.sh_size / sizeof(Elf64_Dyn); ++i) {
        const auto entry = reader.at<Elf64_Dyn>(section.sh_offset, i);
        if (!entry || entry->d_tag == DT_NULL) return;
        if (entry->d_tag == DT_NEEDED)
            elf.needed.push_back(reader.text(strings, entry->d_un.d_val));
        if (entry->d_tag == DT_RPATH) elf.has_rpath = true;
    }
}

void read_imports(const Reader& reader, const Elf64_Shdr& section, const Elf64_Shdr& strings,
                  Elf& elf) {
    for (std::uint64_t i = 1; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
        const auto symbol = reader.at<Elf64_Sym>(section.sh_offset, i);
        if (!symbol) return;
        if (symbol->st_shndx == SHN_UNDEF)
            elf.imports.insert(reader.text(strings, symbol->st_name));
    }
}

}  // namespace

std::optional<Elf> read_elf(std::span<const std::byte> file) {
    const Reader reader(file);
    const auto magic = reader.at<std::array<unsigned char, EI_NIDENT>>(0);
    if (!magic || std::memcmp(magic->data(), ELFMAG, SELFMAG) != 0) return std::nullopt;
    Elf elf;
    const auto header = reader.at<Elf64_Ehdr>(0);
    if (!header || (*magic)[EI_CLASS] != ELFCLASS64 || (*magic)[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != kMachine) {
        return elf;
    }
    elf.is_native = true;
    const auto section = [&](std::uint64_t index) {
        return index < header->e_shnum ? reader.at<Elf64_Shdr>(header->e_shoff, index)
                                       : std::nullopt;
    };
    const auto names = section(header->e_shstrndx);
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto here = section(i);
        if (!here) break;
        if (names) elf.sections.insert(reader.text(*names, here->sh_name));
        const auto strings = section(here->sh_link);
        if (!strings) continue;
        if (here->sh_type == SHT_DYNAMIC) read_dynamic(reader, *here, *strings, elf);
        if (here->sh_type == SHT_DYNSYM) read_imports(reader, *here, *strings, elf);
    }
    return elf;
}

}  // namespace lab
