// Entries of a fatbin, and the three ways in which nvcc packs their text.
//
// The format is not documented by NVIDIA. It was found by looking at what nvcc 13.0 writes with
// --compress-mode=none, speed (LZ4) and size (zstd, also the default); the tests keep doing so.
#include "fatbin/fatbin.h"

#include <cstring>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lz4.h>
#include <zstd.h>

#include "fatbin/layout.h"
#include "vgpu/device.h"

namespace vgpu {
namespace {

constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;

/// The fixed part of an entry; strings and options follow it, then the payload at `header_bytes`.
struct EntryHeader {
    std::uint16_t kind;  ///< 1 PTX, 2 ELF
    std::uint16_t version;
    std::uint32_t header_bytes;
    std::uint64_t padded_bytes;      ///< payload with padding: where the next entry begins
    std::uint32_t compressed_bytes;  ///< payload without padding; 0 when it is not compressed
    std::uint32_t options_offset;
    std::uint16_t version_minor, version_major;
    std::uint32_t arch;
    std::uint32_t name_offset, name_bytes;
    std::uint64_t flags;
    std::uint64_t reserved;
    std::uint64_t unpacked_bytes;
};
static_assert(sizeof(EntryHeader) == 64);

[[noreturn]] void fail(const std::string& what) {
    throw Error("fatbin: " + what +
                "\nThe embedded GPU code is damaged, or of a toolkit whose format is not known yet "
                "(CUDA 13.0 is). Build the program again.");
}

using Bytes = std::span<const std::byte>;

std::string_view without_padding(Bytes text) {
    const std::string_view s(reinterpret_cast<const char*>(text.data()), text.size());
    return s.substr(0, s.find_last_not_of('\0') + 1);
}

/// What the entry was compiled from, as nvcc was given it; damaged names count as none.
std::string name_of(const EntryHeader& entry, Bytes header) {
    if (entry.name_offset > header.size() || entry.name_bytes > header.size() - entry.name_offset) {
        return {};
    }
    return std::string(without_padding(header.subspan(entry.name_offset, entry.name_bytes)));
}

/// Unpacks at most `bytes_left` bytes, whatever the entry claims, and lessens it.
std::string unpack(const EntryHeader& entry, Bytes payload, std::size_t& bytes_left,
                   std::size_t at) {
    const bool is_packed = (entry.flags & (kFlagLz4 | kFlagZstd)) != 0;
    const std::size_t claimed = is_packed ? entry.unpacked_bytes : payload.size();
    if (claimed > bytes_left) {
        fail(
            fmt::format("the entry at byte {} unpacks to {} bytes; all entries together may have "
                        "{}",
                        at, claimed, kMostUnpackedBytes));
    }
    bytes_left -= claimed;
    if (!is_packed) return std::string(without_padding(payload));
    if (entry.compressed_bytes > payload.size()) {
        fail(fmt::format("the entry at byte {} has {} compressed bytes in a payload of {}", at,
                         entry.compressed_bytes, payload.size()));
    }
    const Bytes packed = payload.first(entry.compressed_bytes);
    std::string text(claimed, '\0');
    std::size_t written = 0;
    if ((entry.flags & kFlagZstd) != 0) {
        written = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
        if (ZSTD_isError(written) != 0) {
            fail(fmt::format("the entry at byte {} cannot be unpacked by zstd: {}", at,
                             ZSTD_getErrorName(written)));
        }
    } else {
        // Sizes are below 2 GiB: claimed <= kMostUnpackedBytes, and LZ4 says no to more than that.
        if (packed.size() > kMostUnpackedBytes) {
            fail(fmt::format("the entry at byte {} has {} compressed bytes", at, packed.size()));
        }
        const int result =
            LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), text.data(),
                                static_cast<int>(packed.size()), static_cast<int>(text.size()));
        if (result < 0) fail(fmt::format("the entry at byte {} cannot be unpacked by LZ4", at));
        written = static_cast<std::size_t>(result);
    }
    if (written != claimed) {
        fail(fmt::format("the entry at byte {} unpacks to {} bytes, not the {} it announces", at,
                         written, claimed));
    }
    return std::string(without_padding(std::as_bytes(std::span(text))));
}

}  // namespace

std::vector<FatbinImage> read_fatbin(Bytes fatbin) {
    if (fatbin.size() < kFatbinHeaderBytes) {
        fail(fmt::format("expected a header of {} bytes, got {}", kFatbinHeaderBytes,
                         fatbin.size()));
    }
    const std::size_t size = fatbin_size_bytes(fatbin.data());
    if (size == 0) fail("the bytes do not begin with a fatbin header");
    if (size > fatbin.size()) {
        fail(fmt::format("the header announces {} bytes, but there are {}", size, fatbin.size()));
    }
    fatbin = fatbin.first(size);

    std::vector<FatbinImage> images;
    std::size_t bytes_left = kMostUnpackedBytes;
    std::size_t at = kFatbinHeaderBytes;
    while (at < fatbin.size()) {
        const std::size_t left = fatbin.size() - at;
        EntryHeader entry;
        if (left < sizeof entry) {
            fail(fmt::format("the entry at byte {} needs {} bytes, but {} are left", at,
                             sizeof entry, left));
        }
        std::memcpy(&entry, fatbin.data() + at, sizeof entry);
        if (entry.header_bytes < sizeof entry || entry.header_bytes > left ||
            entry.padded_bytes > left - entry.header_bytes) {
            fail(fmt::format("the entry at byte {} has {} + {} bytes, but {} are left", at,
                             entry.header_bytes, entry.padded_bytes, left));
        }
        FatbinImage& image = images.emplace_back();
        image.version_major = entry.version_major;
        image.version_minor = entry.version_minor;
        image.arch = entry.arch;
        image.name = name_of(entry, fatbin.subspan(at, entry.header_bytes));
        if (entry.kind == 1) {
            image.kind = FatbinImage::Kind::ptx;
            const Bytes payload = fatbin.subspan(at + entry.header_bytes, entry.padded_bytes);
            image.ptx = unpack(entry, payload, bytes_left, at);
        } else if (entry.kind == 2) {
            image.kind = FatbinImage::Kind::elf;
        }
        at += entry.header_bytes + entry.padded_bytes;
    }
    return images;
}

const FatbinImage& select_ptx(const std::vector<FatbinImage>& images) {
    const FatbinImage* best = nullptr;
    std::set<std::uint32_t> machine_code;
    for (const FatbinImage& image : images) {
        if (image.kind == FatbinImage::Kind::elf) machine_code.insert(image.arch);
        if (image.kind != FatbinImage::Kind::ptx) continue;
        if (best == nullptr || image.arch > best->arch) best = &image;
    }
    if (best != nullptr) return *best;
    std::string got = "nothing for a GPU";
    if (!machine_code.empty()) {
        got = fmt::format("machine code for sm_{} only", fmt::join(machine_code, ", sm_"));
    }
    throw Error(fmt::format(
        "The virtual GPU runs PTX, and this program embeds none: it holds {}.\n"
        "Compile it with -gencode arch=compute_75,code=compute_75, or with -arch=sm_75, which "
        "embeds PTX as well.",
        got));
}

}  // namespace vgpu
