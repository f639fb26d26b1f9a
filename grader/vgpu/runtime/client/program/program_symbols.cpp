#include "runtime/client/program/program_symbols.h"

#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace vgpu::client {
namespace {

constexpr int kMaxFrames = 64;

/// Where the program's own file is loaded.
struct Loaded {
    std::uintptr_t base = 0, begin = UINTPTR_MAX, end = 0;

    bool contains(const void* code) const {
        const auto at = reinterpret_cast<std::uintptr_t>(code);
        return at >= begin && at < end;
    }
};

int note_program(dl_phdr_info* info, std::size_t, void* result) {
    auto& loaded = *static_cast<Loaded*>(result);
    loaded.base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
        loaded.begin = std::min(loaded.begin, loaded.base + part.p_vaddr);
        loaded.end = std::max(loaded.end, loaded.base + part.p_vaddr + part.p_memsz);
    }
    return 1;  // the program comes first; the libraries do not matter
}

/// `code`, or the innermost of its callers that lies in the program; null when there is none.
const void* in_program(const void* code, const Loaded& program) {
    if (program.contains(code)) return code;
    void* frames[kMaxFrames];
    void** const end = frames + backtrace(frames, kMaxFrames);
    // Above the fault's own frame lies this handler.
    void** const fault = std::find(frames, end, code);
    void** const caller =
        std::find_if(fault, end, [&](const void* frame) { return program.contains(frame); });
    // A return address may already belong to the next function.
    return caller == end ? nullptr : static_cast<const char*>(*caller) - 1;
}

/// The file as it lies on disk, if it is an ELF file whose tables lie within it.
class File {
public:
    explicit File(const char* path) {
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        struct stat facts {};
        if (fd >= 0 && fstat(fd, &facts) == 0 && facts.st_size > 0) {
            size_ = static_cast<std::size_t>(facts.st_size);
            void* const at = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
            data_ = at == MAP_FAILED ? nullptr : static_cast<const char*>(at);
        }
        if (fd >= 0) close(fd);
    }
    ~File() {
        if (data_ != nullptr) munmap(const_cast<char*>(data_), size_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// `count` elements at `offset`; null when they are not all there.
    template <typename T>
    const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
        const bool fits = data_ != nullptr && offset <= size_ && offset % alignof(T) == 0 &&
                          count <= (size_ - offset) / sizeof(T);
        return fits ? reinterpret_cast<const T*>(data_ + offset) : nullptr;
    }

private:
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

std::size_t copy_name(const char* text, std::size_t most, char* name, std::size_t capacity) {
    const std::size_t length = strnlen(text, std::min(most, capacity));
    std::memcpy(name, text, length);
    return length;
}

}  // namespace

void program_callers(std::span<std::uint64_t> callers) {
    Loaded program;
    dl_iterate_phdr(note_program, &program);
    void* frames[kMaxFrames];
    const std::span<void*> all(frames, static_cast<std::size_t>(backtrace(frames, kMaxFrames)));
    std::fill(callers.begin(), callers.end(), 0);
    auto to = callers.begin();
    for (const void* const frame : all) {
        if (!program.contains(frame) || to == callers.end()) continue;
        *to++ = reinterpret_cast<std::uintptr_t>(frame) - 1 - program.base;
    }
}

std::size_t program_function(const void* code, char* name, std::size_t capacity) {
    Loaded program;
    dl_iterate_phdr(note_program, &program);
    const void* const place = in_program(code, program);
    if (place == nullptr) return 0;
    const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(place) - program.base;
    const File file("/proc/self/exe");
    const auto* const header = file.at<ElfW(Ehdr)>(0);
    if (header == nullptr) return 0;
    const auto* const sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
    for (int i = 0; sections != nullptr && i < header->e_shnum; ++i) {
        const auto& table = sections[i];
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
        const auto& names = sections[table.sh_link];
        const std::uint64_t count = table.sh_size / sizeof(ElfW(Sym));
        const auto* const symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
        const char* const texts = file.at<char>(names.sh_offset, names.sh_size);
        if (symbols == nullptr || texts == nullptr) continue;
        for (std::uint64_t s = 0; s < count; ++s) {
            const auto& symbol = symbols[s];
            if ((symbol.st_info & 0xF) != STT_FUNC || offset < symbol.st_value ||
                offset - symbol.st_value >= symbol.st_size || symbol.st_name >= names.sh_size) {
                continue;
            }
            return copy_name(texts + symbol.st_name, names.sh_size - symbol.st_name, name,
                             capacity);
        }
    }
    return 0;
}

}  // namespace vgpu::client
