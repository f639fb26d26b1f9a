// Matrices spread over the registers of a warp, as tensor cores take them. All forms are made of
// one block: 8 lines of 16 bytes (of doubles 32). Lane l holds its 4 (8) bytes at line l/4, place
// l%4, in one register.
#pragma once

#include "state/code.h"

//     A (m x k)   lines are rows      a register holds 32 / bits consecutive elements in k
//     B (k x n)   lines are columns   the same
//     C (m x n)   lines are rows      8 elements a line: two registers, or one of two halves
//
// For mma this is the order that the PTX ISA documents ("Matrix Fragments for mma"). That of wmma
// is the hardware's own; here it is the same, so that one kind of product serves both.

namespace vgpu {

/// Blocks of one matrix: `down` along its lines' number, `across` along the lines themselves.
struct Blocks {
    unsigned down = 0, across = 0;
    /// Blocks below one another come in pairs, as the 16 rows of an mma do.
    bool pairs = true;
    constexpr unsigned count() const { return down * across; }
    constexpr unsigned number(unsigned d, unsigned a) const {
        if (!pairs) return a + across * d;
        return down == 1 ? a : (d & 1) + 2 * a + 2 * across * (d >> 1);
    }
};

struct MatrixShape {
    unsigned m = 0, n = 0, k = 0;
    /// `elements`: of A or B, along a line of one block.
    constexpr Blocks a(unsigned elements) const { return {m / 8, k / elements, true}; }
    constexpr Blocks b(unsigned elements) const { return {n / 8, k / elements, false}; }
    constexpr Blocks c() const { return {m / 8, n / 8, true}; }
};

constexpr unsigned line_of_lane(unsigned lane) {
    return lane / 4;
}
constexpr unsigned place_of(unsigned lane) {
    return lane % 4;
}

/// Products of single bits are made 32 at a time; k counts in such steps there.
inline constexpr unsigned kBitsAStep = 32;

/// Largest matrices of any form, in elements, or steps.
inline constexpr unsigned kMostA = 1024, kMostB = 512, kMostC = 256;

/// Image::operand_lists[Insn::target] of a product: m, n, steps along k, then the registers of A,
/// B, C and D.
inline constexpr unsigned kShapeWords = 3;

/// Makes all lanes of the warp meet; false while the path has to wait. Lanes that have left, or
/// were never there, are reported. Insn::operand[5]: the mask of all lanes.
bool meet_all(Warp&, const Insn&, Mask active);

}  // namespace vgpu
