// %tid.x and its like: known before a warp starts, so they are filled in like constants.
#pragma once

#include <cstdint>
#include <string_view>

#include "decode/instruction_set.h"
#include "state/warp.h"

namespace vgpu {

/// Null when there is no such register, or the virtual GPU does not have it yet.
const SpecialRegister* special_register(std::string_view name);
/// Sets the registers of a warp that change with each launch, or with each block.
void fill_special_registers(Warp&, SpecialLife);

}  // namespace vgpu
