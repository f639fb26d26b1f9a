// cvt to and from pairs of 8-bit floats: e4m3 (4 bits of exponent, 3 of fraction) and e5m2.
//
// e4m3 has no infinities, and one NaN of each sign, 0x7f and 0xff. Conversions to both formats are
// all .satfinite: what is too large becomes the largest number, infinities too.
#include "execute/ops/families.h"
#include "execute/ops/half.h"
#include "execute/ops/lanes.h"

namespace vgpu::VGPU_ISA {
namespace {

/// As narrow() (half.h) wants a format to be: kInfinity is the first size that is too large.
template <int fraction_bits, u32 infinity>
struct Fp8 {
    static constexpr int kFraction = fraction_bits;
    static constexpr int kExponentBits = 7 - fraction_bits;
    static constexpr int kSmallest = 2 - (1 << (kExponentBits - 1));
    static constexpr u32 kInfinity = infinity;
    static constexpr u32 kNan = 0x7f;

    u32 bits;  ///< as narrow() leaves it: the sign in bit 15
    [[gnu::always_inline]] constexpr explicit Fp8(u32 narrowed) : bits(narrowed) {}
};
using E4m3 = Fp8<3, 0x7f>;
using E5m2 = Fp8<2, 0x7c>;

template <class F, bool with_relu>
[[gnu::always_inline]] inline u32 to_fp8(f64 x) {
    if (with_relu && x <= 0) return 0;
    const u32 bits = F(narrow<F>(x)).bits, size = bits & 0x7f;
    const u32 finite = x == x && size >= F::kInfinity ? F::kInfinity - 1 : size;
    return finite | (bits >> 8 & 0x80);
}

template <class F, bool with_relu>
[[gnu::always_inline]] inline f16 to_half(u32 bits) {
    const u32 size = bits & 0x7f;
    const bool is_nan = size > (F::kInfinity == F::kNan ? F::kNan - 1 : F::kInfinity);
    // As for halves: the exponent is made larger by a multiplication.
    constexpr u32 kScale = u32(253 + F::kSmallest);
    const f32 number =
        std::bit_cast<f32>(size << (23 - F::kFraction)) * std::bit_cast<f32>(kScale << 23);
    const bool is_infinity = !is_nan && size == F::kInfinity;
    const f16 magnitude = is_nan        ? f16(u32{f16::kNan})
                          : is_infinity ? f16(u32{f16::kInfinity})
                                        : narrow<f16>(f64(number));
    const f16 x(magnitude.bits | (is_nan ? 0 : (bits & 0x80) << 8));
    return with_relu ? relu(x) : x;
}

/// The first operand becomes the upper number.
template <class F, bool with_relu>
u32 from_floats(f32 high, f32 low) {
    return to_fp8<F, with_relu>(f64(high)) << 8 | to_fp8<F, with_relu>(f64(low));
}
template <class F, bool with_relu>
u32 from_halves(u32 pair) {
    const Pair<f16> x(pair);
    return to_fp8<F, with_relu>(f64(f32(x.hi))) << 8 | to_fp8<F, with_relu>(f64(f32(x.lo)));
}
template <class F, bool with_relu>
u32 to_halves(u32 pair) {
    return u32(Pair<f16>(to_half<F, with_relu>(pair & 0xff), to_half<F, with_relu>(pair >> 8)));
}

#define FORMAT(F, type)                                                         \
    lanewise<from_floats<F, false>>("cvt.rn.satfinite." type ".f32"),           \
        lanewise<from_floats<F, true>>("cvt.rn.satfinite.relu." type ".f32"),   \
        lanewise<from_halves<F, false>>("cvt.rn.satfinite." type ".f16x2"),     \
        lanewise<from_halves<F, true>>("cvt.rn.satfinite.relu." type ".f16x2"), \
        lanewise<to_halves<F, false>>("cvt.rn.f16x2." type),                    \
        lanewise<to_halves<F, true>>("cvt.rn.relu.f16x2." type)

constexpr Row kRows[] = {FORMAT(E4m3, "e4m3x2"), FORMAT(E5m2, "e5m2x2")};
#undef FORMAT

}  // namespace

Rows fp8_rows() {
    return {kRows, std::size(kRows)};
}

}  // namespace vgpu::VGPU_ISA
