// Reads a fatbin, nvcc's embedded kernel module in several forms, and takes the PTX from it as
// text. The bytes come from a submission and are not trusted: every size is checked, and unpacking
// stops at kMostUnpackedBytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vgpu {

/// What one fatbin may unpack to. The PTX of a large CUB program is about 1 MiB.
inline constexpr std::size_t kMostUnpackedBytes = std::size_t{64} << 20;

struct FatbinImage {
    enum class Kind : std::uint8_t { ptx, elf, other };
    Kind kind = Kind::other;
    int version_major = 0, version_minor = 0;  ///< of the PTX, 9.0 for CUDA 13.0
    std::uint32_t arch = 0;                    ///< 75 for sm_75 and compute_75
    std::string ptx{};                         ///< unpacked text; empty for other kinds
    std::string name{};  ///< of the source file, where nvcc notes it: in -rdc=true's objects
};

/// All images, in order. Throws vgpu::Error when the bytes are no whole fatbin.
std::vector<FatbinImage> read_fatbin(std::span<const std::byte> fatbin);

/// The PTX for the newest architecture; the first, if there are several. Throws vgpu::Error with
/// the remedy when there is none.
const FatbinImage& select_ptx(const std::vector<FatbinImage>& images);

}  // namespace vgpu
