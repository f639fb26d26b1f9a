// Which lanes of a warp have the number of a lane before them: behind the counts of sectors and of
// words in common. Inlined everywhere, for it runs for each access whose pattern is new, in code
// compiled for several instruction sets.
//
// Interface: repeats, passes.
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

/// Passes through the L1 cache of lanes at these distances, which touch so many sectors: lines of
/// 128 bytes, counted from the first lane on. Lanes that go back to an earlier line count it again.
VGPU_INLINE std::uint32_t passes(const std::uint32_t* distance, Mask active,
                                 std::uint32_t sectors) {
    const std::uint32_t first = distance[__builtin_ctz(active)];
    alignas(64) std::uint32_t line[kWarpSize + 1];
    line[0] = 0;
    for (unsigned l = 0; l < kWarpSize; ++l) line[l + 1] = (distance[l] - first) >> 7;
    std::uint32_t changes = 0;
    for (unsigned l = 0; l < kWarpSize; ++l)
        changes += (active >> l & 1) & static_cast<std::uint32_t>(line[l + 1] != line[l]);
    return changes + 1 < sectors ? changes + 1 : sectors;
}

}  // namespace vgpu
