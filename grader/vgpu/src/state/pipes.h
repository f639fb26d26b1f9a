// Tells which of a multiprocessor's pipes an instruction uses: that of the machine instruction that
// does the work.
#pragma once

#include <cstdint>

#include "ptx/module.h"

// ptxas makes one instruction of most in PTX, and none of some; its result is not known here.
// Divisions and square roots become several instructions in one pipe, where they take long.

namespace vgpu {

enum class Pipe : std::uint8_t {
    alu,     ///< integers, bits, comparison, selection, moves
    fma,     ///< float add, multiply; integer multiply
    fp16,    ///< arithmetic of half precision
    fp64,    ///< arithmetic of doubles
    xu,      ///< functions, division, conversion between integers and floats, counting of bits
    tensor,  ///< matrix products
    lsu,     ///< memory, shuffles
    adu,     ///< parameters, constants, barriers
    cbu,     ///< branches, calls, ends
};

/// What an instruction on floats or doubles computes: a roofline counts them.
enum class Flop : std::uint8_t { none, fadd, fmul, ffma, dadd, dmul, dfma };

Pipe pipe_of(const ptx::Instruction&);
Flop flop_of(const ptx::Instruction&);
/// How often it goes through that pipe.
std::uint8_t pipe_uses(const ptx::Instruction&);
/// Whether ptxas makes an operand of it: a parameter, a copy of a register or a constant, a sign.
bool is_folded(const ptx::Instruction&);

}  // namespace vgpu
