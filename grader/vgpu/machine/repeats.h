// Which lanes of a warp have the number of a lane before them: behind the counts of sectors and of
// words in common. Inlined everywhere, for it runs for each access whose pattern is new, in code
// compiled for several instruction sets.
//
// Interface: repeats.
#pragma once

#include <cstdint>

#include "vgpu/machine/shadow.h"
#include "vgpu/machine/warp.h"

namespace vgpu {

/// The active lanes whose number an active lane before them has, too. Numbers are below 2^31.
VGPU_INLINE Mask repeats(const std::uint32_t* number, Mask active) {
    // Each lane is compared with the one `back` lanes before it, for all `back`: 31 comparisons of
    // whole vectors. In front, and in place of inactive lanes, stand numbers that nobody has.
    alignas(64) std::uint32_t padded[2 * kWarpSize], same[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) {
        padded[l] = ~0u;
        padded[kWarpSize + l] = (active >> l & 1) != 0 ? number[l] : ~0u;
        same[l] = 0;
    }
    for (unsigned back = 1; back < kWarpSize; ++back)
        for (unsigned l = 0; l < kWarpSize; ++l)
            same[l] |= padded[kWarpSize + l] == padded[kWarpSize + l - back] ? 1u : 0u;
    Mask mask = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) mask |= same[l] << l;
    return mask & active;
}

}  // namespace vgpu
