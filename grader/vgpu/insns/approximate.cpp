// The .approx instructions: rcp, rsqrt, sqrt, div, sin, cos, lg2, ex2, tanh.
//
// PTX promises only a largest error. These give what an H200 gives, bit for bit: its special
// functions with the instructions around them that ptxas 13 makes (for compute capability 9.0),
// which scale subnormal and very large numbers.
#include <cmath>

#include "vgpu/insns/families.h"
#include "vgpu/insns/lanes.h"
#include "vgpu/insns/special_functions.h"

namespace vgpu::VGPU_ISA {
namespace {

constexpr f32 kUp = 0x1p24f, kLarge = 0x1p126f;

f32 rcp(f32 a) {
    const f32 scale = is_tiny(a) ? kUp : size_of(a) > kLarge ? 0.25f : 1.0f;
    return scale * special_reciprocal(scale * a);
}
f32 sqrt(f32 a) {
    return is_tiny(a) ? 0x1p-12f * special_root(kUp * a) : special_root(a);
}
f32 rsqrt(f32 a) {
    return is_tiny(a) ? 0x1p12f * special_reciprocal_root(kUp * a) : special_reciprocal_root(a);
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
    return is_tiny(a) ? special_log2(kUp * a) - 24 : special_log2(a);
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

constexpr Row kRows[] = {
    floating<rcp>("rcp.approx.f32", kFlush),     floating<sqrt>("sqrt.approx.f32", kFlush),
    floating<rsqrt>("rsqrt.approx.f32", kFlush), floating<sin>("sin.approx.f32", kFlush),
    floating<cos>("cos.approx.f32", kFlush),     floating<lg2>("lg2.approx.f32", kFlush),
    floating<ex2>("ex2.approx.f32", kFlush),     floating<special_tanh>("tanh.approx.f32", 0),
    floating<div_full>("div.full.f32", kFlush),  floating<div_approx>("div.approx.f32", kFlush),
    lanewise<rcp_ftz>("rcp.approx.f64:ftz"),     lanewise<rsqrt_ftz>("rsqrt.approx.f64:ftz"),
    floating<rsqrt64>("rsqrt.approx.f64", 0),
};

}  // namespace

Rows approximate_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
