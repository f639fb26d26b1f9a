// The .approx instructions: rcp, rsqrt, sqrt, div, sin, cos, lg2, ex2, tanh.
//
// PTX promises only a largest error. These give what an H200 gives, bit for bit: its special
// functions with the instructions around them that ptxas 13 makes (for compute capability 9.0),
// which scale subnormal and very large numbers.
#include <cmath>

#include "execute/ops/families.h"
#include "execute/ops/lanes.h"
#include "execute/ops/special_functions.h"

namespace vgpu::VGPU_ISA {
namespace {

constexpr f32 kUp = 0x1p24f, kLarge = 0x1p126f;

f32 rcp(f32 a) {
    const f32 scale = is_tiny(a) ? kUp : size_of(a) > kLarge ? 0.25f : 1.0f;
    return scale * special_reciprocal(scale * a);
}
f32 sqrt(f32 a) {
    return special_root(a * (is_tiny(a) ? kUp : 1)) * (is_tiny(a) ? 0x1p-12f : 1);
}
f32 rsqrt(f32 a) {
    return special_reciprocal_root(a * (is_tiny(a) ? kUp : 1)) * (is_tiny(a) ? 0x1p12f : 1);
}
/// An angle in turns, cut off after 24 bits.
f32 turns(f32 radians) {
    return f32(cut(f64(radians) * f64(0.15915493667125702f)));
}
f32 sin(f32 a) {
    return special_sine(turns(a));
}
f32 cos(f32 a) {
    return special_cosine(turns(a));
}
f32 lg2(f32 a) {
    return special_log2(a * (is_tiny(a) ? kUp : 1)) - (is_tiny(a) ? 24 : 0);
}
f32 ex2(f32 a) {
    const f32 root = special_exp2(a < -126 ? 0.5f * a : a);
    return a < -126 ? root * root : root;
}
f32 div_full(f32 a, f32 b) {
    const f32 scale = is_tiny(b) ? kUp : size_of(b) > kLarge ? 0.25f : 1.0f;
    return scale * a * special_reciprocal(scale * b);
}
/// The reciprocal underflows for divisors above 2^126.
f32 div_approx(f32 a, f32 b) {
    const f32 scale = is_tiny(b) ? kUp : 1.0f;
    return scale * a * special_reciprocal(scale * b);
}

/// The .ftz.f64 forms see and set the upper half of a double only: subnormals count as zeros.
f64 upper_half(f64 x) {
    const u64 bits = std::bit_cast<u64>(x) & 0xffff'ffff'0000'0000;
    const bool subnormal = (bits & 0x7ff0'0000'0000'0000) == 0;
    return std::bit_cast<f64>(subnormal ? bits & 0x8000'0000'0000'0000 : bits);
}
f64 upper_result(f64 x) {
    return x != x ? std::bit_cast<f64>(u64{0x7fff'ffff'0000'0000}) : upper_half(x);
}
f64 rcp_ftz(f64 a) {
    return upper_result(1.0 / upper_half(a));
}
f64 rsqrt_ftz(f64 a) {
    return upper_result(1.0 / __builtin_sqrt(upper_half(a)));
}
f64 rsqrt64(f64 a) {
    return 1.0 / __builtin_sqrt(a);
}

/// Makes a handler of a function that is long, and therefore compiled once: for all lanes, which
/// harms none.
template <auto function>
struct Special;

template <class... As, f32 (*function)(As...)>
struct Special<function> {
    struct Lanes {
        alignas(64) f32 lane[kWarpSize];
    };
    template <class... Operands>
    [[gnu::noinline]] static void compute(Lanes& results, const Operands&... operands) {
        for (unsigned l = 0; l < kWarpSize; ++l)
            results.lane[l] = canonical(function(operands.lane[l]...));
    }
    static void fetch(Lanes& operand, const f32* lanes, bool flushes) {
        for (unsigned l = 0; l < kWarpSize; ++l)
            operand.lane[l] = flushes ? flush(lanes[l]) : lanes[l];
    }
    template <std::size_t... n>
    static void execute_with(Warp& w, const Insn& i, Mask active, std::index_sequence<n...>) {
        const bool flushes = i.modifiers.flush_subnormals;
        Lanes operands[sizeof...(As)], results;
        (fetch(operands[n], w.lanes<f32>(i.operand[n + 1]), flushes), ...);
        compute(results, operands[n]...);
        fetch(results, results.lane, flushes);
        each_lane(w.lanes<f32>(i.operand[0]), active, [&](unsigned l) { return results.lane[l]; });
    }
    static Flow execute(Warp& w, const Insn& i, Mask active) {
        execute_with(w, i, active, std::index_sequence_for<As...>{});
        return Flow::next;
    }
};

template <auto function>
constexpr Row special(std::string_view name, Accepts accepts = kFlush) {
    return {name, Special<function>::execute, Lanewise<function>::kShape, accepts};
}

constexpr Row kRows[] = {
    special<rcp>("rcp.approx.f32"),           special<sqrt>("sqrt.approx.f32"),
    special<rsqrt>("rsqrt.approx.f32"),       special<sin>("sin.approx.f32"),
    special<cos>("cos.approx.f32"),           special<lg2>("lg2.approx.f32"),
    special<ex2>("ex2.approx.f32"),           special<special_tanh>("tanh.approx.f32", 0),
    special<div_full>("div.full.f32"),        special<div_approx>("div.approx.f32"),
    lanewise<rcp_ftz>("rcp.approx.f64:ftz"),  lanewise<rsqrt_ftz>("rsqrt.approx.f64:ftz"),
    floating<rsqrt64>("rsqrt.approx.f64", 0),
};

}  // namespace

Rows approximate_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
