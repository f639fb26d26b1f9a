// cvt between integers and floats. Handlers are found by the cells (4, 8 bytes) and float types
// they work on; which integer types they stand for is in Insn::immediate (convert.h).
#include "execute/ops/convert.h"

#include "execute/ops/families.h"
#include "execute/ops/half.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
template <>
inline constexpr Value kValue<f16>{Value::Kind::floating, 2};
template <>
inline constexpr Value kValue<bf16>{Value::Kind::bfloat, 2};

namespace {

/// The low bits of x as a number of the given type.
[[gnu::always_inline]] inline u64 extend(u64 x, u32 unused_bits, bool is_signed) {
    return is_signed ? u64(s64(x << unused_bits) >> unused_bits) : x << unused_bits >> unused_bits;
}

template <class D, class S>
Flow integer_to_integer(Warp& w, const Insn& i, Mask active) {
    const IntegerType to = converted_to(i.immediate), from = converted_from(i.immediate);
    const u32 to_unused = 64u - to.bits, from_unused = 64u - from.bits;
    const S* a = w.lanes<S>(i.operand[1]);
    D* d = w.lanes<D>(i.operand[0]);
    if (!i.modifiers.saturate) {
        each_lane(d, active, [&](unsigned l) {
            return D(extend(extend(a[l], from_unused, from.is_signed), to_unused, to.is_signed));
        });
        return Flow::next;
    }
    const u64 largest = ~u64{0} >> to_unused >> (to.is_signed ? 1 : 0);
    const s64 smallest = to.is_signed ? -s64(largest) - 1 : 0;
    each_lane(d, active, [&](unsigned l) {
        const u64 x = extend(a[l], from_unused, from.is_signed);
        if (from.is_signed && s64(x) < 0) return D(s64(x) < smallest ? u64(smallest) : x);
        return D(x > largest ? largest : x);
    });
    return Flow::next;
}

/// The integer, or if no double has it one that rounds to the same halves.
template <class T>
[[gnu::always_inline]] inline f64 for_narrowing(T x) {
    if constexpr (sizeof(T) < 8) return x;
    const bool negative = x < 0;
    const u64 size = negative ? 0 - u64(x) : u64(x);
    const f64 cut = size >> 53 == 0 ? f64(size) : f64(size >> 11 | u64{(size & 0x7ff) != 0}) * 2048;
    return negative ? -cut : cut;
}

/// Only from f64 to f16 a NaN keeps its sign and what fits of its payload, made quiet: the GPU
/// computes this conversion in steps (an H200, measured).
[[gnu::always_inline]] inline u32 nan_of_double(f64 x) {
    const u64 bits = std::bit_cast<u64>(x);
    return u32(bits >> 48 & 0x8000) | 0x7e00 | u32(bits >> 42 & 0x3ff);
}

/// x as a D; other formats than halves take the host's rounding mode.
template <class D, class T>
[[gnu::always_inline]] inline D to_float(T x, Modifiers::Rounding mode) {
    if constexpr (!is_half<D>)
        return D(x);
    else if constexpr (std::is_integral_v<T>)
        return narrow<D>(for_narrowing(x), mode);
    else
        return narrow<D>(x, mode);
}

template <class S>
[[gnu::always_inline]] inline f64 to_integral(S x, Modifiers::Rounding mode) {
    using R = Modifiers::Rounding;
    switch (mode) {
        case R::rni:
            return __builtin_rint(f64(x));
        case R::rmi:
            return __builtin_floor(f64(x));
        case R::rpi:
            return __builtin_ceil(f64(x));
        default:
            return __builtin_trunc(f64(x));
    }
}

template <class D, class S>
Flow float_to_integer(Warp& w, const Insn& i, Mask active) {
    const IntegerType to = converted_to(i.immediate);
    const u32 unused = 64u - to.bits;
    const u64 largest = ~u64{0} >> unused >> (to.is_signed ? 1 : 0);
    const s64 smallest = to.is_signed ? -s64(largest) - 1 : 0;
    // First values out of range, exact in double: 2^bits or 2^(bits-1), and the smallest itself.
    const f64 too_large = to.is_signed ? -f64(smallest) : f64(u64{1} << (to.bits - 1)) * 2;
    // PTX: a NaN gives 0, but from f64 or to 64 bits only the sign bit set.
    const bool zero_for_nan = sizeof(S) < 8 && to.bits < 64;
    const u64 of_nan = zero_for_nan ? 0 : extend(u64{1} << (to.bits - 1), unused, to.is_signed);
    const Lane<S>* a = w.lanes<Lane<S>>(i.operand[1]);
    each_lane(w.lanes<D>(i.operand[0]), active, [&](unsigned l) {
        const f64 x = to_integral(i.modifiers.flush_subnormals ? flush(S(a[l])) : S(a[l]),
                                  i.modifiers.rounding);
        if (x != x) return D(of_nan);
        if (x >= too_large) return D(largest);
        if (x < f64(smallest)) return D(smallest);
        return x < 0 ? D(u64(s64(x))) : D(u64(x));
    });
    return Flow::next;
}

/// T: the source widened to 32 or 64 bits; S: the lanes it lies in.
template <class D, class T, class S>
Flow integer_to_float(Warp& w, const Insn& i, Mask active) {
    const IntegerType from = converted_from(i.immediate);
    const u32 unused = 64u - from.bits;
    const S* a = w.lanes<S>(i.operand[1]);
    const Modifiers m = i.modifiers;
    auto* d = w.lanes<Lane<D>>(i.operand[0]);
    const auto convert = [&] {
        if (from.bits == 8 * sizeof(S)) {
            each_lane(d, active,
                      [&](unsigned l) { return Lane<D>(to_float<D>(T(a[l]), m.rounding)); });
        } else {
            each_lane(d, active, [&](unsigned l) {
                const auto x = T(extend(u64(a[l]), unused, from.is_signed));
                return Lane<D>(to_float<D>(x, m.rounding));
            });
        }
    };
    if (m.rounding <= Modifiers::Rounding::rn) {
        convert();
    } else {
        const Rounded rounded(m.rounding);
        convert();
    }
    if (m.saturate) each_lane(d, active, [d](unsigned l) { return Lane<D>(saturate(D(d[l]))); });
    return Flow::next;
}

template <class D, class S>
Flow float_to_float(Warp& w, const Insn& i, Mask active) {
    const Modifiers m = i.modifiers;
    const bool integral = m.rounding >= Modifiers::Rounding::rni;
    const Rounded rounded(m.rounding);
    const Lane<S>* a = w.lanes<Lane<S>>(i.operand[1]);
    each_lane(w.lanes<Lane<D>>(i.operand[0]), active, [&](unsigned l) {
        const S x = m.flush_subnormals ? flush(S(a[l])) : S(a[l]);
        D d = integral ? to_float<D>(to_integral(x, m.rounding), m.rounding)
                       : to_float<D>(f64(x), m.rounding);
        if (m.flush_subnormals) d = flush(d);
        // Between f32 and f64 a NaN keeps what fits of its payload, as on the host.
        if constexpr (std::is_same_v<D, S>) d = settled(d, x);
        if constexpr (is_half<S> && !is_half<D>) d = settled(d, D(canonical(x)));
        if constexpr (std::is_same_v<D, f16> && std::is_same_v<S, f64>)
            d = x != x ? f16(nan_of_double(x)) : d;
        if constexpr (is_half<D>) d = i.option == kRelu ? relu(d) : d;
        return Lane<D>(m.saturate ? saturate(d) : d);
    });
    return Flow::next;
}

/// Two f32 into a pair of halves: operand [1] becomes the upper, [2] the lower.
template <class H>
Flow pack_halves(Warp& w, const Insn& i, Mask active) {
    const f32* hi = w.lanes<f32>(i.operand[1]);
    const f32* lo = w.lanes<f32>(i.operand[2]);
    const Modifiers::Rounding mode = i.modifiers.rounding;
    each_lane(w.lanes<u32>(i.operand[0]), active, [&](unsigned l) {
        const Pair<H> d{narrow<H>(lo[l], mode), narrow<H>(hi[l], mode)};
        return u32(i.option == kRelu ? Pair<H>{relu(d.lo), relu(d.hi)} : d);
    });
    return Flow::next;
}

/// An f32 with 10 bits of fraction, the others 0. Infinity stays what it is.
enum class Cut : u8 { nearest_away, nearest_even, toward_zero };
template <Cut cut>
u32 to_tf32(u32 a) {
    const u32 size = a & 0x7fff'ffff;
    if (size > 0x7f80'0000) return 0x7fff'ffff;
    const u32 below = cut == Cut::nearest_away   ? 0x1000
                      : cut == Cut::nearest_even ? 0xfff + (a >> 13 & 1)
                                                 : 0;
    return (a + below) & 0xffff'e000;
}

/// cvt.pack: both numbers cut off at the ends of a small type; b lowest, then a, then what c has.
template <u32 bits, bool is_signed>
u32 pack_saturated(s32 a, s32 b, u32 c) {
    constexpr s32 kLargest = (1 << (bits - (is_signed ? 1 : 0))) - 1;
    constexpr s32 kSmallest = is_signed ? -kLargest - 1 : 0;
    constexpr u32 kOnes = (u32{1} << bits) - 1;
    const auto cut = [](s32 x) {
        return u32(x < kSmallest ? kSmallest : x > kLargest ? kLargest : x) & kOnes;
    };
    const u32 both = cut(b) | cut(a) << bits;
    if constexpr (bits == 16)
        return both;
    else
        return both | c << (2 * bits);
}
template <bool is_signed>
u32 pack_halfwords(s32 a, s32 b) {
    return pack_saturated<16, is_signed>(a, b, 0);
}

constexpr Row kRows[] = {
    lanewise<to_tf32<Cut::nearest_away>>("cvt.rna.tf32.f32"),
    lanewise<to_tf32<Cut::nearest_even>>("cvt.rn.tf32.f32"),
    lanewise<to_tf32<Cut::toward_zero>>("cvt.rz.tf32.f32"),
    lanewise<pack_halfwords<false>>("cvt.pack.sat.u16.s32"),
    lanewise<pack_halfwords<true>>("cvt.pack.sat.s16.s32"),
    lanewise<pack_saturated<8, false>>("cvt.pack.sat.u8.s32.b32"),
    lanewise<pack_saturated<8, true>>("cvt.pack.sat.s8.s32.b32"),
    lanewise<pack_saturated<4, false>>("cvt.pack.sat.u4.s32.b32"),
    lanewise<pack_saturated<4, true>>("cvt.pack.sat.s4.s32.b32"),
    lanewise<pack_saturated<2, false>>("cvt.pack.sat.u2.s32.b32"),
    lanewise<pack_saturated<2, true>>("cvt.pack.sat.s2.s32.b32"),
};

#define HALF(H)                                                                   \
    {{Job::convert, register_value(4), kValue<H>}, float_to_integer<u32, H>},     \
        {{Job::convert, register_value(8), kValue<H>}, float_to_integer<u64, H>}, \
        {{Job::convert, kValue<H>, kValue<s32>}, integer_to_float<H, s32, s32>},  \
        {{Job::convert, kValue<H>, kValue<u32>}, integer_to_float<H, u32, u32>},  \
        {{Job::convert, kValue<H>, kValue<s64>}, integer_to_float<H, s64, s64>},  \
        {{Job::convert, kValue<H>, kValue<u64>}, integer_to_float<H, u64, u64>},  \
        {{Job::convert, kValue<H>, kValue<f32>}, float_to_float<H, f32>},         \
        {{Job::convert, kValue<H>, kValue<f64>}, float_to_float<H, f64>},         \
        {{Job::convert, kValue<f32>, kValue<H>}, float_to_float<f32, H>},         \
        {{Job::convert, kValue<f64>, kValue<H>}, float_to_float<f64, H>},         \
        {{Job::convert, kValue<H>, kValue<H>}, float_to_float<H, H>}, {           \
        {Job::pack_halves, kValue<H>, kValue<f32>}, pack_halves<H>                \
    }

constexpr FormRow kForms[] = {
    {{Job::convert, register_value(4), register_value(4)}, integer_to_integer<u32, u32>},
    {{Job::convert, register_value(4), register_value(8)}, integer_to_integer<u32, u64>},
    {{Job::convert, register_value(8), register_value(4)}, integer_to_integer<u64, u32>},
    {{Job::convert, register_value(8), register_value(8)}, integer_to_integer<u64, u64>},
    {{Job::convert, register_value(4), kValue<f32>}, float_to_integer<u32, f32>},
    {{Job::convert, register_value(8), kValue<f32>}, float_to_integer<u64, f32>},
    {{Job::convert, register_value(4), kValue<f64>}, float_to_integer<u32, f64>},
    {{Job::convert, register_value(8), kValue<f64>}, float_to_integer<u64, f64>},
    {{Job::convert, kValue<f32>, kValue<s32>}, integer_to_float<f32, s32, s32>},
    {{Job::convert, kValue<f32>, kValue<u32>}, integer_to_float<f32, u32, u32>},
    {{Job::convert, kValue<f64>, kValue<s32>}, integer_to_float<f64, s32, s32>},
    {{Job::convert, kValue<f64>, kValue<u32>}, integer_to_float<f64, u32, u32>},
    {{Job::convert, kValue<f32>, kValue<s64>}, integer_to_float<f32, s64, s64>},
    {{Job::convert, kValue<f32>, kValue<u64>}, integer_to_float<f32, u64, u64>},
    {{Job::convert, kValue<f64>, kValue<s64>}, integer_to_float<f64, s64, s64>},
    {{Job::convert, kValue<f64>, kValue<u64>}, integer_to_float<f64, u64, u64>},
    {{Job::convert, kValue<f32>, kValue<f32>}, float_to_float<f32, f32>},
    {{Job::convert, kValue<f32>, kValue<f64>}, float_to_float<f32, f64>},
    {{Job::convert, kValue<f64>, kValue<f32>}, float_to_float<f64, f32>},
    {{Job::convert, kValue<f64>, kValue<f64>}, float_to_float<f64, f64>},
    HALF(f16),
    HALF(bf16),
};
#undef HALF

}  // namespace

Rows convert_rows() {
    return {kRows, std::size(kRows)};
}

FormRows convert_forms() {
    return {kForms, std::size(kForms)};
}

}  // namespace vgpu::VGPU_ISA
