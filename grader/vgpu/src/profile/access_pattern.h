// What an instruction's latest access cost, by the distances between its lanes.
#pragma once

#include <cstdint>

#include "state/warp.h"

namespace vgpu {

/// The distances between the lanes of an access, and what follows from them: the same for an
/// instruction's accesses most of the time, so it is kept.
struct AccessPattern {
    alignas(64) std::uint32_t distance[kWarpSize];  ///< from the first active lane, in bytes
    Mask active = 0;                                ///< 0: nothing kept
    std::uint32_t cost = 0;                         ///< wavefronts or sectors
    std::uint32_t passes = 0;                       ///< wavefronts, or passes through the L1 cache
    Mask shared = 0;                                ///< lanes whose word another lane accesses, too
    Space space{};                                  ///< a generic address may be of any
};

}  // namespace vgpu
