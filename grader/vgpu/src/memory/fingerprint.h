// Fingerprints of memory: numbers that distinguish contents, up to a chance of one in 2^64.
#pragma once

#include <cstddef>
#include <cstdint>

// The fingerprint of a stretch is a sum over its 64-byte lines, each with its address and its
// written bits. So a change of a part changes the sum by the difference, and the sum returns with
// the old contents.

namespace vgpu {

using Fingerprint = std::uint64_t;

inline constexpr std::uint64_t kLineBytes = 64;

/// Of `lines` lines from `address` on, which is a multiple of a line. `bits`: a word a line.
Fingerprint fingerprint(std::uint64_t address, const std::byte* data, const std::uint64_t* bits,
                        std::size_t lines);

}  // namespace vgpu
