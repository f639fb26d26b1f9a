// 16-bit floating-point numbers: f16 (IEEE binary16), bf16 (the upper half of an f32), and pairs of
// them in a 32-bit register.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "state/code.h"

// Not every host computes in them, so numbers are widened, computed with, and rounded back, once.
// The wider formats have more than twice the bits, so that two roundings give the result of one
// (fused() says where that needs care).

namespace vgpu {

/// A 16-bit format with `kFraction` stored bits of significand, as it lies in a register.
template <int fraction_bits>
struct Half {
    static constexpr int kFraction = fraction_bits;
    static constexpr int kExponentBits = 15 - fraction_bits;
    static constexpr int kSmallest = 2 - (1 << (kExponentBits - 1));  // exponent of normal numbers
    static constexpr std::uint16_t kInfinity = ((1 << kExponentBits) - 1) << fraction_bits;
    static constexpr std::uint16_t kNan = 0x7fff;

    std::uint16_t bits = 0;

    Half() = default;
    [[gnu::always_inline]] constexpr explicit Half(std::uint32_t register_bits)
        : bits(static_cast<std::uint16_t>(register_bits)) {}
    [[gnu::always_inline]] constexpr explicit operator std::uint32_t() const { return bits; }
    /// The same number; a NaN stays one.
    [[gnu::always_inline]] operator float() const;
};
using f16 = Half<10>;
using bf16 = Half<7>;

template <int fraction_bits>
[[gnu::always_inline]] inline Half<fraction_bits>::operator float() const {
    if constexpr (fraction_bits == 7) return std::bit_cast<float>(std::uint32_t{bits} << 16);
    // The exponent is made larger by a multiplication, which sees to subnormals, too.
    constexpr auto kScale =
        static_cast<std::uint32_t>(253 + kSmallest);  // 2 to the difference of biases
    const std::uint32_t size = bits & 0x7fffu;
    const float small = std::bit_cast<float>(size << (23 - fraction_bits));
    const float large = small * std::bit_cast<float>(kScale << 23);
    const std::uint32_t special = size >= kInfinity ? 0x7f80'0000u : 0u;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(large) | special |
                                (bits & 0x8000u) << 16);
}

template <class T>
inline constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

/// Two numbers in one register, the first in its lower half.
template <class H>
struct Pair {
    H lo, hi;

    Pair() = default;
    [[gnu::always_inline]] constexpr Pair(H lo_, H hi_) : lo(lo_), hi(hi_) {}
    [[gnu::always_inline]] constexpr explicit Pair(std::uint32_t register_bits)
        : lo(register_bits), hi(register_bits >> 16) {}
    [[gnu::always_inline]] constexpr explicit operator std::uint32_t() const {
        return lo.bits | std::uint32_t{hi.bits} << 16;
    }
};

/// The nearest number of format H, or its neighbour that the rounding asks for. All NaN become the
/// one that the hardware gives.
template <class H>
[[gnu::always_inline]] inline H narrow(double x,
                                       Modifiers::Rounding mode = Modifiers::Rounding::rn) {
    using R = Modifiers::Rounding;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const bool negative = bits >> 63 != 0;
    const auto field = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t significand =
        (bits & 0x000f'ffff'ffff'ffff) | (field != 0 ? 0x0010'0000'0000'0000 : 0);
    const int exponent = (field != 0 ? field : 1) - 1023;
    const int below = exponent < H::kSmallest ? H::kSmallest - exponent : 0;
    const int shift = 52 - H::kFraction + below > 63 ? 63 : 52 - H::kFraction + below;
    const std::uint64_t kept = significand >> shift;
    const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const bool up = mode == R::rz   ? false
                    : mode == R::rm ? negative && rest != 0
                    : mode == R::rp ? !negative && rest != 0
                                    : rest > half || (rest == half && (kept & 1) != 0);
    // The significand's leading bit counts one in the exponent, unless the number is subnormal.
    const int binade = below != 0 ? 0 : exponent - H::kSmallest;
    const std::uint64_t rounded =
        (static_cast<std::uint64_t>(binade) << H::kFraction) + kept + (up ? 1 : 0);
    const bool to_largest =
        mode == R::rz || (mode == R::rm && !negative) || (mode == R::rp && negative);
    const std::uint64_t infinity = H::kInfinity;
    const std::uint64_t overflow = to_largest ? infinity - 1 : infinity;
    const std::uint64_t finite = rounded >= infinity ? overflow : rounded;
    const std::uint64_t size = field != 0x7ff ? finite : x != x ? H::kNan : infinity;
    return H(static_cast<std::uint32_t>(size | (negative && x == x ? 0x8000 : 0)));
}

/// a * b + c, such that narrow() of it is rounded once. The product is exact; a sum that is not
/// gets an odd last bit (unless it has one), which keeps it off the middle between two results.
[[gnu::always_inline]] inline double fused(float a, float b, float c) {
    const double product = double(a) * double(b);
    const double sum = product + double(c);
    const double of_c = sum - product;
    const double lost = (product - (sum - of_c)) + (double(c) - of_c);
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    if (!(lost < 0 || lost > 0) || (bits & 1) != 0) return sum;
    return std::bit_cast<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

template <int n>
[[gnu::always_inline]] inline Half<n> flush(Half<n> x) {
    return (x.bits & Half<n>::kInfinity) == 0 ? Half<n>(x.bits & 0x8000u) : x;
}
template <int n>
[[gnu::always_inline]] inline Half<n> saturate(Half<n> x) {
    const float value = x;
    return !(value > 0) ? Half<n>(0) : value > 1 ? narrow<Half<n>>(1) : x;
}
/// .relu: what is negative becomes zero, also -0; a NaN stays one.
template <int n>
[[gnu::always_inline]] inline Half<n> relu(Half<n> x) {
    return float(x) < 0 || x.bits == 0x8000 ? Half<n>(0) : x;
}
/// A result, with the NaN that it has to be if it is one.
template <int n, class... As>
[[gnu::always_inline]] inline Half<n> settled(Half<n> x, As...) {
    return (x.bits & 0x7fff) > Half<n>::kInfinity ? Half<n>(Half<n>::kNan) : x;
}
template <class H>
[[gnu::always_inline]] inline Pair<H> flush(Pair<H> x) {
    return {flush(x.lo), flush(x.hi)};
}
template <class H>
[[gnu::always_inline]] inline Pair<H> saturate(Pair<H> x) {
    return {saturate(x.lo), saturate(x.hi)};
}
template <class H, class... As>
[[gnu::always_inline]] inline Pair<H> settled(Pair<H> x, As...) {
    return {settled(x.lo), settled(x.hi)};
}

}  // namespace vgpu
