// %tid.x and its like: known before a warp starts, so they are filled in like constants.
#pragma once

#include <cstdint>
#include <string_view>

#include "decode/liveness.h"
#include "state/warp.h"

namespace vgpu {

/// For how long a special register keeps its value. Those of a block are the same for all lanes.
enum class SpecialLife : std::uint8_t { launch, block, moment };

struct SpecialRegister {
    std::string_view name;
    Cell cell;
    SpecialLife life;
    std::uint64_t (*value)(const Warp&, unsigned lane);
};

/// Null when there is no such register, or the virtual GPU does not have it yet.
const SpecialRegister* special_register(std::string_view name);
/// Sets the registers of a warp that change with each launch, or with each block.
void fill_special_registers(Warp&, SpecialLife);

}  // namespace vgpu
