// The .approx instructions: rcp, rsqrt, sqrt, div, sin, cos, lg2, ex2, tanh.
//
// PTX promises only a largest error, so no choice of bits equals every GPU's. These give the result
// rounded from double precision, which lies within every one of those bounds; the inputs for which
// PTX prescribes the result (zeros, infinities, very large divisors) give exactly that.
#include <cmath>

#include "vgpu/insns/families.h"
#include "vgpu/insns/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

f32 rcp(f32 a) {
    return f32(1.0 / f64(a));
}
f32 sqrt(f32 a) {
    return __builtin_sqrtf(a);
}
f32 rsqrt(f32 a) {
    return f32(1.0 / __builtin_sqrt(f64(a)));
}
f32 sin(f32 a) {
    return f32(std::sin(f64(a)));
}
f32 cos(f32 a) {
    return f32(std::cos(f64(a)));
}
f32 lg2(f32 a) {
    return f32(std::log2(f64(a)));
}
f32 ex2(f32 a) {
    return f32(std::exp2(f64(a)));
}
f32 tanh(f32 a) {
    return f32(std::tanh(f64(a)));
}
f32 div_full(f32 a, f32 b) {
    return a / b;
}
/// a times the reciprocal of b, which underflows for divisors above 2^126.
f32 div_approx(f32 a, f32 b) {
    const f32 size = b < 0 ? -b : b;
    const bool huge = size > 0x1p126f && size < std::numeric_limits<f32>::infinity();
    return huge ? a * std::bit_cast<f32>(std::bit_cast<u32>(b) & 0x8000'0000) : a / b;
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
    floating<ex2>("ex2.approx.f32", kFlush),     floating<tanh>("tanh.approx.f32", 0),
    floating<div_full>("div.full.f32", kFlush),  floating<div_approx>("div.approx.f32", kFlush),
    lanewise<rcp_ftz>("rcp.approx.f64:ftz"),     lanewise<rsqrt_ftz>("rsqrt.approx.f64:ftz"),
    floating<rsqrt64>("rsqrt.approx.f64", 0),
};

}  // namespace

Rows approximate_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
