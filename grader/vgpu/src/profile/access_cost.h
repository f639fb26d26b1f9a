// The cost of a warp's access, from the active lanes' distances (bytes) to a multiple of 32 at or
// before the first of them.
#pragma once

#include <cstdint>

#include "state/warp.h"

namespace vgpu {

/// Sectors of 32 bytes that are touched.
std::uint32_t sectors(const std::uint32_t* distance, Mask active);
/// The same where lanes at one address take turns, each turn with sectors of its own (measured on
/// an H200 for floating-point reductions).
std::uint32_t sectors_one_by_one(const std::uint32_t* distance, Mask active);
/// Wavefronts in shared memory.
std::uint32_t wavefronts(const std::uint32_t* distance, Mask active, std::uint32_t bytes);
/// The same of an atomic that is a loop of compare-and-swap, as sums of floats in shared memory
/// are: lanes at one address succeed one after the other.
std::uint32_t retry_wavefronts(const std::uint32_t* distance, Mask active);

}  // namespace vgpu
