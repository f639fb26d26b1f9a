// Arithmetic on f16 and bf16, and on pairs of them: add, sub, mul, fma, min, max, abs, neg, ex2,
// tanh.
#include "execute/ops/half.h"

#include <cmath>

#include "execute/ops/families.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

template <class H>
H add(H a, H b) {
    return narrow<H>(f64(a) + f64(b));
}
template <class H>
H sub(H a, H b) {
    return narrow<H>(f64(a) - f64(b));
}
template <class H>
H mul(H a, H b) {
    return narrow<H>(f64(a) * f64(b));
}
template <class H>
H fma(H a, H b, H c) {
    return narrow<H>(fused(a, b, c));
}
template <class H>
H fma_relu(H a, H b, H c) {
    return relu(fma(a, b, c));
}
/// -0 is less than +0, and a NaN loses against a number.
template <class H>
H min(H a, H b) {
    const f32 x = a, y = b;
    const bool first = x < y || (x == y && a.bits > b.bits);
    return x != x ? b : y != y || first ? a : b;
}
template <class H>
H max(H a, H b) {
    const f32 x = a, y = b;
    const bool first = x > y || (x == y && a.bits < b.bits);
    return x != x ? b : y != y || first ? a : b;
}
template <class H>
bool has_nan(H a, H b) {
    return f32(a) != f32(a) || f32(b) != f32(b);
}
template <class H>
H min_nan(H a, H b) {
    return has_nan(a, b) ? H(H::kNan) : min(a, b);
}
template <class H>
H max_nan(H a, H b) {
    return has_nan(a, b) ? H(H::kNan) : max(a, b);
}
template <class H>
H abs(H a) {
    return H(a.bits & 0x7fffu);
}
template <class H>
H neg(H a) {
    return H(a.bits ^ 0x8000u);
}
template <class H>
H ex2(H a) {
    return narrow<H>(std::exp2(f64(a)));
}
template <class H>
H tanh(H a) {
    return narrow<H>(std::tanh(f64(a)));
}

/// The same for both numbers of pairs.
template <auto function>
struct Both;
template <class H, class... As, H (*function)(As...)>
struct Both<function> {
    static Pair<H> apply(Pair<As>... a) { return {function(a.lo...), function(a.hi...)}; }
};

#define FORMS(function, name, type, accepts) \
    floating<function>(name type, accepts), floating<Both<function>::apply>(name type "x2", accepts)
#define FORMAT(H, type)                                                                           \
    FORMS(add<H>, "add.", type, kRounding | kFlush | kSaturate),                                  \
        FORMS(sub<H>, "sub.", type, kRounding | kFlush | kSaturate),                              \
        FORMS(mul<H>, "mul.", type, kRounding | kFlush | kSaturate),                              \
        FORMS(fma<H>, "fma.", type, kRounding | kFlush | kSaturate),                              \
        FORMS(fma_relu<H>, "fma.relu.", type, kRounding | kFlush),                                \
        FORMS(min<H>, "min.", type, kFlush), FORMS(max<H>, "max.", type, kFlush),                 \
        FORMS(min_nan<H>, "min.NaN.", type, kFlush), FORMS(max_nan<H>, "max.NaN.", type, kFlush), \
        FORMS(abs<H>, "abs.", type, kFlush), FORMS(neg<H>, "neg.", type, kFlush),                 \
        FORMS(ex2<H>, "ex2.approx.", type, kFlush), FORMS(tanh<H>, "tanh.approx.", type, 0)

constexpr Row kRows[] = {FORMAT(f16, "f16"), FORMAT(bf16, "bf16")};
#undef FORMS
#undef FORMAT

}  // namespace

Rows half_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
