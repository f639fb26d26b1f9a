// The products of tensor cores: D = A * B + C, of matrices spread over a warp (matrices.h).
//
// The PTX ISA leaves the order of the additions open, and how their operands are rounded. Here the
// products of one element are added to C one after the other, in f32 where they are halves, bf16 or
// tf32 (whose products f32 holds exactly), in f64 with fused steps, in integers exactly.
#include "execute/execution.h"
#include "execute/ops/families.h"
#include "execute/ops/half.h"
#include "execute/ops/lanes.h"
#include "execute/ops/matrices.h"

namespace vgpu::VGPU_ISA {
namespace {

/// Elements of A and B: `kEach` of them in a register, `at(register, j)` the j-th.
struct F16 {
    using Register = u32;
    using Value = f32;
    static constexpr unsigned kEach = 2;
    static Value at(u32 bits, unsigned j) { return f16(bits >> 16 * j); }
};
struct Bf16 {
    using Register = u32;
    using Value = f32;
    static constexpr unsigned kEach = 2;
    static Value at(u32 bits, unsigned j) { return std::bit_cast<f32>(bits >> 16 * j << 16); }
};
/// An f32 whose last 13 bits do not count.
struct Tf32 {
    using Register = u32;
    using Value = f32;
    static constexpr unsigned kEach = 1;
    static Value at(u32 bits, unsigned) { return std::bit_cast<f32>(bits & 0xffff'e000); }
};
struct F64 {
    using Register = f64;
    using Value = f64;
    static constexpr unsigned kEach = 1;
    static Value at(f64 value, unsigned) { return value; }
};
template <unsigned bits, bool is_signed>
struct Integer {
    using Register = u32;
    using Value = s32;
    static constexpr unsigned kEach = 32 / bits;
    static Value at(u32 all, unsigned j) {
        const u32 top = all << (32 - bits - bits * j);
        return is_signed ? s32(top) >> (32 - bits) : s32(top >> (32 - bits));
    }
};
using S8 = Integer<8, true>;
using U8 = Integer<8, false>;
using S4 = Integer<4, true>;
using U4 = Integer<4, false>;
/// 32 single bits, multiplied as a whole.
template <bool is_and>
struct Bits {
    u32 bits = 0;
};
template <bool is_and>
struct B1 {
    using Register = u32;
    using Value = Bits<is_and>;
    static constexpr unsigned kEach = 1;
    static Value at(u32 bits, unsigned) { return {bits}; }
};

/// One step of a sum.
[[gnu::always_inline]] inline f32 add_product(f32 sum, f32 a, f32 b) {
    return sum + a * b;
}
[[gnu::always_inline]] inline f64 add_product(f64 sum, f64 a, f64 b) {
    return __builtin_fma(a, b, sum);
}
/// Wraps, as s32 sums without .satfinite do.
[[gnu::always_inline]] inline u32 add_product(u32 sum, s32 a, s32 b) {
    return sum + u32(a) * u32(b);
}
[[gnu::always_inline]] inline s64 add_product(s64 sum, s32 a, s32 b) {
    return sum + s64{a} * b;
}
template <bool is_and>
[[gnu::always_inline]] inline u32 add_product(u32 sum, Bits<is_and> a, Bits<is_and> b) {
    return sum + lane_count(is_and ? a.bits & b.bits : a.bits ^ b.bits);
}

/// How C and D lie in registers: `kRegisters` for the two elements that a lane has of a block.
struct InF32 {
    using Sum = f32;
    static constexpr unsigned kRegisters = 2;
    static void take(const Warp& w, const u32* regs, unsigned l, Sum* two) {
        for (unsigned j = 0; j < 2; ++j) two[j] = w.lanes<f32>(regs[j])[l];
    }
    static void put(Warp& w, const u32* regs, unsigned l, const Sum* two) {
        for (unsigned j = 0; j < 2; ++j) w.lanes<f32>(regs[j])[l] = canonical(two[j]);
    }
};
struct InF16 {
    using Sum = f32;
    static constexpr unsigned kRegisters = 1;
    static void take(const Warp& w, const u32* regs, unsigned l, Sum* two) {
        const u32 bits = w.lanes<u32>(regs[0])[l];
        for (unsigned j = 0; j < 2; ++j) two[j] = f16(bits >> 16 * j);
    }
    static void put(Warp& w, const u32* regs, unsigned l, const Sum* two) {
        w.lanes<u32>(regs[0])[l] = u32(Pair<f16>{narrow<f16>(two[0]), narrow<f16>(two[1])});
    }
};
template <class T>
struct AsTheyAre {
    using Sum = T;
    static constexpr unsigned kRegisters = 2;
    static void take(const Warp& w, const u32* regs, unsigned l, Sum* two) {
        for (unsigned j = 0; j < 2; ++j) two[j] = w.lanes<T>(regs[j])[l];
    }
    static void put(Warp& w, const u32* regs, unsigned l, const Sum* two) {
        for (unsigned j = 0; j < 2; ++j) w.lanes<T>(regs[j])[l] = two[j];
    }
};
using InF64 = AsTheyAre<f64>;
using InS32 = AsTheyAre<u32>;
/// .satfinite: what does not fit becomes the nearest that does.
struct InS32Clamped {
    using Sum = s64;
    static constexpr unsigned kRegisters = 2;
    static void take(const Warp& w, const u32* regs, unsigned l, Sum* two) {
        for (unsigned j = 0; j < 2; ++j) two[j] = w.lanes<s32>(regs[j])[l];
    }
    static void put(Warp& w, const u32* regs, unsigned l, const Sum* two) {
        constexpr Sum kLargest = 0x7fff'ffff;
        for (unsigned j = 0; j < 2; ++j) {
            const Sum most = two[j] > kLargest ? kLargest : two[j];
            w.lanes<s32>(regs[j])[l] = s32(most < -kLargest - 1 ? -kLargest - 1 : most);
        }
    }
};

/// Calls visit(block's number, its first line, its first place) for each block.
template <class Visit>
[[gnu::always_inline]] inline void each_block(const Blocks& blocks, unsigned width, Visit visit) {
    for (unsigned d = 0; d < blocks.down; ++d)
        for (unsigned a = 0; a < blocks.across; ++a) visit(blocks.number(d, a), 8 * d, width * a);
}

template <unsigned n, class Value, class Sum>
[[gnu::always_inline]] inline void multiply_rows(const Value* a, const Value* b, Sum* c, unsigned m,
                                                 unsigned k) {
    for (unsigned row = 0; row < m; ++row) {
        Sum sum[n];
        for (unsigned col = 0; col < n; ++col) sum[col] = c[row * n + col];
        for (unsigned step = 0; step < k; ++step)
            for (unsigned col = 0; col < n; ++col)
                sum[col] = add_product(sum[col], a[row * k + step], b[step * n + col]);
        for (unsigned col = 0; col < n; ++col) c[row * n + col] = sum[col];
    }
}

// What follows is not inlined: every product would have copies of its own.

template <class Value, class Sum>
[[gnu::noinline]] void multiply(const MatrixShape& shape, const Value* a, const Value* b, Sum* c) {
    switch (shape.n) {
        case 8:
            return multiply_rows<8>(a, b, c, shape.m, shape.k);
        case 16:
            return multiply_rows<16>(a, b, c, shape.m, shape.k);
        default:
            return multiply_rows<32>(a, b, c, shape.m, shape.k);
    }
}

/// Of A (by_lines): rows of k elements; of B: k rows of n.
template <class Format, bool by_lines>
[[gnu::noinline]] void unpack(const Warp& w, const Blocks& blocks, const u32* regs, unsigned row,
                              typename Format::Value* to) {
    each_block(blocks, 4 * Format::kEach, [&](unsigned number, unsigned line, unsigned place) {
        const auto* lanes = w.lanes<typename Format::Register>(regs[number]);
        for (unsigned l = 0; l < kWarpSize; ++l)
            for (unsigned j = 0; j < Format::kEach; ++j) {
                const unsigned y = line + line_of_lane(l),
                               x = place + place_of(l) * Format::kEach + j;
                to[by_lines ? y * row + x : x * row + y] = Format::at(lanes[l], j);
            }
    });
}

/// Calls visit(registers, lane, where its two elements are in c) for each lane of each block.
template <class Format, class Visit>
[[gnu::always_inline]] inline void each_pair(const MatrixShape& shape, const u32* regs,
                                             typename Format::Sum* c, Visit visit) {
    each_block(shape.c(), 8, [&](unsigned number, unsigned line, unsigned place) {
        for (unsigned l = 0; l < kWarpSize; ++l)
            visit(regs + number * Format::kRegisters, l,
                  c + (line + line_of_lane(l)) * shape.n + place + place_of(l) * 2);
    });
}
template <class Format>
[[gnu::noinline]] void take(const Warp& w, const MatrixShape& shape, const u32* regs,
                            typename Format::Sum* c) {
    each_pair<Format>(shape, regs, c,
                      [&](const u32* r, unsigned l, auto* two) { Format::take(w, r, l, two); });
}
template <class Format>
[[gnu::noinline]] void put(Warp& w, const MatrixShape& shape, const u32* regs,
                           typename Format::Sum* c) {
    each_pair<Format>(shape, regs, c,
                      [&](const u32* r, unsigned l, auto* two) { Format::put(w, r, l, two); });
}

template <class A, class B, class C, class D>
Flow product(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    if (!meet_all(w, i, active)) return Flow::wait;
    const u32* list = w.execution->image.operand_lists[i.target].data();
    const MatrixShape shape{list[0], list[1], list[2]};
    const Blocks in_a = shape.a(4 * A::kEach), in_b = shape.b(4 * B::kEach);
    const u32* of_a = list + kShapeWords;
    const u32* of_b = of_a + in_a.count();
    const u32* of_c = of_b + in_b.count();
    const u32* of_d = of_c + shape.c().count() * C::kRegisters;
    alignas(64) typename A::Value a[kMostA];
    alignas(64) typename B::Value b[kMostB];
    alignas(64) typename C::Sum c[kMostC];
    unpack<A, true>(w, in_a, of_a, shape.k, a);
    unpack<B, false>(w, in_b, of_b, shape.n, b);
    take<C>(w, shape, of_c, c);
    multiply(shape, a, b, c);
    put<D>(w, shape, of_d, c);
    return Flow::next;
}

#define HALVES(name, A) \
    { "product:" name ":f32:f32", product<A, A, InF32, InF32> }
#define INTEGERS(names, A, B)                                                            \
    {"product:" names ":s32:s32", product<A, B, InS32, InS32>}, {                        \
        "product:" names ":s32:s32:satfinite", product<A, B, InS32Clamped, InS32Clamped> \
    }

constexpr Row kRows[] = {
    HALVES("f16:f16", F16),
    HALVES("bf16:bf16", Bf16),
    HALVES("tf32:tf32", Tf32),
    {"product:f16:f16:f16:f16", product<F16, F16, InF16, InF16>},
    {"product:f16:f16:f16:f32", product<F16, F16, InF16, InF32>},
    {"product:f16:f16:f32:f16", product<F16, F16, InF32, InF16>},
    {"product:f64:f64:f64:f64", product<F64, F64, InF64, InF64>},
    INTEGERS("s8:s8", S8, S8),
    INTEGERS("s8:u8", S8, U8),
    INTEGERS("u8:s8", U8, S8),
    INTEGERS("u8:u8", U8, U8),
    INTEGERS("s4:s4", S4, S4),
    INTEGERS("s4:u4", S4, U4),
    INTEGERS("u4:s4", U4, S4),
    INTEGERS("u4:u4", U4, U4),
    {"product:b1:b1:s32:s32:xor", product<B1<false>, B1<false>, InS32, InS32>},
    {"product:b1:b1:s32:s32:and", product<B1<true>, B1<true>, InS32, InS32>},
};
#undef HALVES
#undef INTEGERS

}  // namespace

Rows product_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
