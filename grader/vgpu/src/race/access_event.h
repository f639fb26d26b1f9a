// One warp's access, as the race check takes it: who, where, by which instruction, and where its
// suspicions go. Nothing else of the launch.
#pragma once

#include <cstdint>

#include "memory/region.h"
#include "race/read_shared_rows.h"
#include "race/shadow_word.h"
#include "race/suspects.h"

namespace vgpu {

struct AccessEvent {
    AccessEpoch epoch;
    const Region& region;
    std::uint64_t block;        ///< its number
    std::uint32_t instruction;  ///< Insn::access
    ReadSharedRows& rows;       ///< of the block
    Suspects& suspects;

    VGPU_INLINE ShadowWord thread(unsigned lane) const { return epoch.warp * kWarpSize + lane; }
    VGPU_INLINE void suspect(std::uint64_t offset) const {
        suspects.add(instruction, block, region, offset);
    }
};

}  // namespace vgpu
