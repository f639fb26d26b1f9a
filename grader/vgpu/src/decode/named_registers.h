// The registers that a function declares and its code names. `.reg .b32 %r<1000000>` is a short
// text: the table must grow with the uses of registers, not with their declarations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "decode/cell.h"
#include "ptx/module.h"

namespace vgpu {

/// A register of 128 bits is kept as two of 64, one after the other, with these behind its name.
inline constexpr char kHalfMark = '#';
inline constexpr const char* kLowerHalf = "#low";
inline constexpr const char* kUpperHalf = "#high";

/// In the order of their declarations, each once. Without those of types that have no cell.
std::vector<std::pair<std::string, Cell>> named_registers(const ptx::Function&);

}  // namespace vgpu
