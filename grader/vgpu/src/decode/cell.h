// How wide registers are in a warp's register file.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace vgpu {

/// How wide a register is in the register file.
enum class Cell : std::uint8_t { none, predicate, word, wide };

inline std::uint32_t lane_bytes(Cell cell) {
    return cell == Cell::wide ? 8 : 4;
}
/// Bytes that a register takes in a warp's register file.
inline std::uint32_t register_bytes(Cell cell) {
    return cell == Cell::predicate ? 4 : 32 * lane_bytes(cell);
}

/// The cell for a PTX type; none when it has no register here (128 bits and more).
Cell cell_of(const ptx::Type&);

}  // namespace vgpu
