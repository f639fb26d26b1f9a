// cvt between integers, f32 and f64. Handlers are named by the cells (4, 8 bytes) and float types
// they work on; which integer types they stand for is in Insn::immediate (convert.h).
#include "vgpu/insns/convert.h"

#include "vgpu/insns/families.h"
#include "vgpu/insns/lanes.h"

namespace vgpu::VGPU_ISA {
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
    // PTX: a NaN gives 0 from f32 to at most 32 bits, else only the sign bit set.
    const bool zero_for_nan = sizeof(S) == 4 && to.bits < 64;
    const u64 of_nan = zero_for_nan ? 0 : extend(u64{1} << (to.bits - 1), unused, to.is_signed);
    const S* a = w.lanes<S>(i.operand[1]);
    each_lane(w.lanes<D>(i.operand[0]), active, [&](unsigned l) {
        const f64 x =
            to_integral(i.modifiers.flush_subnormals ? flush(a[l]) : a[l], i.modifiers.rounding);
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
    const auto convert = [&] {
        if (from.bits == 8 * sizeof(S)) {
            each_lane(w.lanes<D>(i.operand[0]), active, [&](unsigned l) { return D(T(a[l])); });
        } else {
            each_lane(w.lanes<D>(i.operand[0]), active,
                      [&](unsigned l) { return D(T(extend(u64(a[l]), unused, from.is_signed))); });
        }
    };
    if (i.modifiers.rounding <= Modifiers::Rounding::rn) {
        convert();
    } else {
        const Rounded rounded(i.modifiers.rounding);
        convert();
    }
    if (i.modifiers.saturate)
        each_lane(w.lanes<D>(i.operand[0]), active,
                  [d = w.lanes<D>(i.operand[0])](unsigned l) { return saturate(d[l]); });
    return Flow::next;
}

template <class D, class S>
Flow float_to_float(Warp& w, const Insn& i, Mask active) {
    const Modifiers m = i.modifiers;
    const bool integral = m.rounding >= Modifiers::Rounding::rni;
    const Rounded rounded(m.rounding);
    const S* a = w.lanes<S>(i.operand[1]);
    each_lane(w.lanes<D>(i.operand[0]), active, [&](unsigned l) {
        const S x = m.flush_subnormals ? flush(a[l]) : a[l];
        D d = integral ? D(to_integral(x, m.rounding)) : D(x);
        if (m.flush_subnormals) d = flush(d);
        // Between f32 and f64 a NaN keeps what fits of its payload, as on the host.
        if (sizeof(D) == sizeof(S)) d = settled(d, D(x));
        return m.saturate ? saturate(d) : d;
    });
    return Flow::next;
}

constexpr Row kRows[] = {
    {"cvt:4:4", integer_to_integer<u32, u32>},
    {"cvt:4:8", integer_to_integer<u32, u64>},
    {"cvt:8:4", integer_to_integer<u64, u32>},
    {"cvt:8:8", integer_to_integer<u64, u64>},
    {"cvt:4:f32", float_to_integer<u32, f32>},
    {"cvt:8:f32", float_to_integer<u64, f32>},
    {"cvt:4:f64", float_to_integer<u32, f64>},
    {"cvt:8:f64", float_to_integer<u64, f64>},
    {"cvt:f32:s4", integer_to_float<f32, s32, s32>},
    {"cvt:f32:u4", integer_to_float<f32, u32, u32>},
    {"cvt:f64:s4", integer_to_float<f64, s32, s32>},
    {"cvt:f64:u4", integer_to_float<f64, u32, u32>},
    {"cvt:f32:s8", integer_to_float<f32, s64, s64>},
    {"cvt:f32:u8", integer_to_float<f32, u64, u64>},
    {"cvt:f64:s8", integer_to_float<f64, s64, s64>},
    {"cvt:f64:u8", integer_to_float<f64, u64, u64>},
    {"cvt:f32:f32", float_to_float<f32, f32>},
    {"cvt:f32:f64", float_to_float<f32, f64>},
    {"cvt:f64:f32", float_to_float<f64, f32>},
    {"cvt:f64:f64", float_to_float<f64, f64>},
};

}  // namespace

Rows convert_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
