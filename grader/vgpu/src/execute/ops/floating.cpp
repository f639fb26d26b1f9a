// IEEE floating-point arithmetic: add, sub, mul, fma, div, rcp, sqrt, min, max, abs, neg, copysign.
#include "execute/ops/families.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

template <class T>
T add(T a, T b) {
    return a + b;
}
template <class T>
T sub(T a, T b) {
    return a - b;
}
template <class T>
T mul(T a, T b) {
    return a * b;
}
template <class T>
T div(T a, T b) {
    return a / b;
}
template <class T>
T rcp(T a) {
    return T(1) / a;
}
f32 fma_(f32 a, f32 b, f32 c) {
    return __builtin_fmaf(a, b, c);
}
f64 fma_(f64 a, f64 b, f64 c) {
    return __builtin_fma(a, b, c);
}
template <class T>
T fma(T a, T b, T c) {
    return fma_(a, b, c);
}
f32 sqrt_(f32 a) {
    return __builtin_sqrtf(a);
}
f64 sqrt_(f64 a) {
    return __builtin_sqrt(a);
}
template <class T>
T sqrt(T a) {
    return sqrt_(a);
}

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
constexpr Bits<T> kSign = Bits<T>(1) << (8 * sizeof(T) - 1);
template <class T>
T abs(T a) {
    return std::bit_cast<T>(Bits<T>(std::bit_cast<Bits<T>>(a) & ~kSign<T>));
}
template <class T>
T neg(T a) {
    return std::bit_cast<T>(Bits<T>(std::bit_cast<Bits<T>>(a) ^ kSign<T>));
}
/// On f64 these are additions to the GPU, which leave a NaN's sign alone.
f64 abs64(f64 a) {
    return a != a ? quiet(a) : abs(a);
}
f64 neg64(f64 a) {
    return a != a ? quiet(a) : neg(a);
}
/// b with the sign of a.
template <class T>
T copysign(T a, T b) {
    return std::bit_cast<T>(
        Bits<T>((std::bit_cast<Bits<T>>(a) & kSign<T>) | (std::bit_cast<Bits<T>>(b) & ~kSign<T>)));
}

/// -0 is less than +0, and a NaN loses against a number.
template <class T>
T min(T a, T b) {
    const T of_equals =
        std::bit_cast<T>(Bits<T>(std::bit_cast<Bits<T>>(a) | std::bit_cast<Bits<T>>(b)));
    const T ordered = a < b ? a : a == b ? of_equals : b;
    return a != a ? b : b != b ? a : ordered;
}
template <class T>
T max(T a, T b) {
    const T of_equals =
        std::bit_cast<T>(Bits<T>(std::bit_cast<Bits<T>>(a) & std::bit_cast<Bits<T>>(b)));
    const T ordered = a > b ? a : a == b ? of_equals : b;
    return a != a ? b : b != b ? a : ordered;
}
template <class T>
T min_nan(T a, T b) {
    return a != a || b != b ? a + b : min(a, b);
}
template <class T>
T max_nan(T a, T b) {
    return a != a || b != b ? a + b : max(a, b);
}

constexpr Row kRows[] = {
    floating<add<f32>>("add.f32"),
    floating<add<f64>>("add.f64", kRounding),
    floating<sub<f32>>("sub.f32"),
    floating<sub<f64>>("sub.f64", kRounding),
    floating<mul<f32>>("mul.f32"),
    floating<mul<f64>>("mul.f64", kRounding),
    floating<fma<f32>>("fma.f32"),
    floating<fma<f64>>("fma.f64", kRounding),
    floating<fma<f32>>("mad.f32"),
    floating<fma<f64>>("mad.f64", kRounding),
    floating<div<f32>>("div.f32", kRounding | kFlush),
    floating<div<f64>, true>("div.f64", kRounding),
    floating<rcp<f32>>("rcp.f32", kRounding | kFlush),
    floating<rcp<f64>>("rcp.f64", kRounding),
    floating<sqrt<f32>>("sqrt.f32", kRounding | kFlush),
    floating<sqrt<f64>>("sqrt.f64", kRounding),
    floating<min<f32>>("min.f32", kFlush),
    floating<min<f64>>("min.f64", 0),
    floating<max<f32>>("max.f32", kFlush),
    floating<max<f64>>("max.f64", 0),
    floating<min_nan<f32>>("min.NaN.f32", kFlush),
    floating<max_nan<f32>>("max.NaN.f32", kFlush),
    floating<abs<f32>>("abs.f32", kFlush),
    floating<neg<f32>>("neg.f32", kFlush),
    lanewise<abs64>("abs.f64"),
    lanewise<neg64>("neg.f64"),
    lanewise<copysign<f32>>("copysign.f32"),
    lanewise<copysign<f64>>("copysign.f64"),
};

}  // namespace

Rows floating_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
