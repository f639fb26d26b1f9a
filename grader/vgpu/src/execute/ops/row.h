// A row of the instruction table: one PTX instruction, its operands, and its handler.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "decode/cell.h"
#include "state/code.h"

// To add an instruction: write its row (or, if it needs more than its operands, its builder) in the
// file of its family, and its line in the tests (tests/). A new family is one file, named in
// table.cpp and CMakeLists.txt.
//
// A row's name is the instruction's full opcode without the modifiers that `accepts` lists, which
// arrive in Insn::modifiers: {"add.f32", ...} serves add.rn.ftz.sat.f32.

namespace vgpu {

/// Modifiers that a row's handler honours.
using Accepts = std::uint8_t;
inline constexpr Accepts kRounding = 1;         // .rn .rz .rm .rp
inline constexpr Accepts kIntegerRounding = 2;  // .rni .rzi .rmi .rpi
inline constexpr Accepts kFlush = 4;            // .ftz
inline constexpr Accepts kSaturate = 8;         // .sat

/// The cells of an instruction's operands: the first is the result, the others are read.
struct Shape {
    std::array<Cell, 6> cells{};
    std::uint8_t count = 0;
    std::uint8_t floats = 0;  ///< a bit an operand: immediates are floating constants
};

struct Row {
    std::string_view name;
    Handler execute = nullptr;
    Shape shape{};
    Accepts accepts = 0;
};

}  // namespace vgpu
