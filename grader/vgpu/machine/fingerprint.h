// Fingerprints of memory: numbers that tell contents apart, up to a chance of one in 2^64.
//
// The fingerprint of a stretch is a sum over its 64-byte lines, each with its address and with the
// bits that say which of its bytes were ever written. So when a part changes, that of the whole
// changes by the difference, and comes back when the old contents do.
//
// Interface: Fingerprint, fingerprint.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vgpu {

using Fingerprint = std::uint64_t;

inline constexpr std::uint64_t kLineBytes = 64;

/// Of `lines` lines from `address` on, which is a multiple of a line. `bits`: a word a line.
Fingerprint fingerprint(std::uint64_t address, const std::byte* data, const std::uint64_t* bits,
                        std::size_t lines);

}  // namespace vgpu
