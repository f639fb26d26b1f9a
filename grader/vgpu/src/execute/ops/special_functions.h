// The special function unit of NVIDIA's GPUs, bit for bit as an H200's: sine, cosine, logarithm and
// power of 2, reciprocal, square root and its reciprocal, tanh.
#pragma once

#include <bit>
#include <cstdint>

// An argument is reduced to a segment of a table and its place in the segment, 17 bits. The segment
// has a parabola, whose square is computed without the lower columns of its multiplication. The
// result is truncated (not rounded) after 24 bits. That is the design of Oberman and Siu, "A High-
// Performance Area-Efficient Multifunction Interpolator" (ARITH 2005). Columns, coefficients and
// treatment of signs, which it leaves open, were found from results.
//
// Numbers here are integers below 2^53 in doubles, and there are no branches: so compilers
// vectorise a loop over a warp's lanes. Subnormal arguments count as zeros, subnormal results
// become zeros.

namespace vgpu {

/// constant + slope * x + curve * (x^2 / 2^19), x being the place in the segment, 0 to 2^17 - 1.
struct Segment {
    double constant, slope, curve;
};

}  // namespace vgpu

#include "execute/ops/special_tables.h"

namespace vgpu {

#define VGPU_SPECIAL [[gnu::always_inline]] inline

/// x^2 / 2^19 of 17 bits: of the products of two bits, each pair once, those below 2^19 are left
/// out, and so do not carry either.
VGPU_SPECIAL std::uint32_t cut_square(std::uint32_t x) {
    const std::uint32_t high = x >> 9;
    return (high * high >> 1) + (x >> 2 & 1) * (x >> 16) + (x >> 3 & 1) * (x >> 15) +
           (x >> 4 & 1) * (x >> 14) + (x >> 5 & 1) * (x >> 13) + (x >> 6 & 1) * (x >> 12) +
           (x >> 7 & 1) * (x >> 11) + (x >> 8 & 1) * (x >> 10);
}

VGPU_SPECIAL double whole(std::uint32_t x) {
    return static_cast<double>(static_cast<std::int32_t>(x));
}
VGPU_SPECIAL double interpolate(const Segment* table, std::uint32_t segment, std::uint32_t x) {
    const Segment& s = table[segment];
    return s.constant + s.slope * whole(x) + s.curve * whole(cut_square(x));
}

/// The first 24 bits.
VGPU_SPECIAL double cut(double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~std::uint64_t{0x1fff'ffff});
}

VGPU_SPECIAL double power_of_2(std::int32_t exponent) {
    return std::bit_cast<double>(static_cast<std::int64_t>(exponent + 1023) << 52);
}

/// A float's parts; its magnitude must be at least the smallest normal one, and finite.
struct Parts {
    std::int32_t exponent;
    std::uint32_t mantissa;  ///< 23 bits, without the leading 1
};
VGPU_SPECIAL Parts parts_of(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    return {static_cast<std::int32_t>(bits >> 23 & 255) - 127, bits & 0x7f'ffff};
}

inline constexpr float kNoNumber = __builtin_nanf(""), kInfinite = __builtin_inff();
inline constexpr std::uint32_t kLowBits = 0x1'ffff;

VGPU_SPECIAL float size_of(float x) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fff'ffff);
}
/// `size`, which is not negative, with the sign of x.
VGPU_SPECIAL float signed_as(float x, float size) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(size) |
                                (std::bit_cast<std::uint32_t>(x) & 0x8000'0000));
}
VGPU_SPECIAL bool is_tiny(float x) {
    return size_of(x) < 0x1p-126F;
}

/// Of an angle in turns, `quarters` of a turn on. It counts in 2^-25 of a turn, towards zero; a
/// falling quarter is a rising one with all bits turned over.
VGPU_SPECIAL float special_wave(float turns, std::uint32_t quarters) {
    const float size = size_of(turns), fraction = size - __builtin_truncf(size);
    const std::uint32_t angle =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(fraction * 0x1p25F)) +
        (quarters << 23);
    const std::uint32_t turned = 0u - (angle >> 23 & 1), place = (angle ^ turned) & 0x7f'ffff;
    const float wave =
        static_cast<float>(cut(interpolate(kSine, place >> 17, place & kLowBits)) * 0x1p-37);
    const float result =
        std::bit_cast<float>(std::bit_cast<std::uint32_t>(wave) | (angle >> 24 & 1) << 31);
    return size < kInfinite ? result : kNoNumber;
}
VGPU_SPECIAL float special_sine(float turns) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(special_wave(turns, 0)) ^
                                (std::bit_cast<std::uint32_t>(turns) & 0x8000'0000));
}
VGPU_SPECIAL float special_cosine(float turns) {
    return special_wave(turns, 1);
}

VGPU_SPECIAL float special_log2(float x) {
    const Parts parts = parts_of(x);
    const double parabola = interpolate(kLog2, parts.mantissa >> 17, parts.mantissa & kLowBits);
    // In units of 2^-36; this sum is rounded to 4, of a whole number: cut off.
    constexpr double kRound = 0x3p53;
    const double fraction = (parabola - 1.5 + kRound) - kRound;
    const double sum = static_cast<double>(parts.exponent) * 0x1p38 + fraction;
    // A negative one has all bits turned over.
    const double size = cut(sum < 0 ? -sum - 4 : sum) * 0x1p-38;
    const auto logarithm = static_cast<float>(sum < 0 ? -size : size);
    float result = x > 0 ? logarithm : kNoNumber;
    result = x == 1 ? 0 : result;
    result = x == kInfinite ? kInfinite : result;
    return is_tiny(x) ? -kInfinite : result;
}

/// It counts in 2^-23, towards zero; the fraction of a negative number has all bits turned over.
VGPU_SPECIAL float special_exp2(float x) {
    const float limited = x > -200 && x < 200 ? x : 0;
    const auto size = static_cast<std::int32_t>(size_of(limited) * 0x1p23F);
    const std::int32_t below = (size & 0x7f'ffff) == 0 ? -size : ~size;
    const std::int32_t fixed = limited < 0 ? below : size;
    const std::uint32_t place = static_cast<std::uint32_t>(fixed) & 0x7f'ffff;
    const double power = cut(interpolate(kExp2, place >> 17, place & kLowBits)) * 0x1p-41;
    auto result = static_cast<float>(power * power_of_2(fixed >> 23));
    result = is_tiny(result) ? 0 : result;
    result = x >= 200 ? kInfinite : result;
    result = x <= -200 ? 0 : result;
    return x == x ? result : x;
}

VGPU_SPECIAL float special_reciprocal(float x) {
    const Parts parts = parts_of(x);
    const double parabola =
        interpolate(kReciprocal, parts.mantissa >> 16, (parts.mantissa & 0xffff) << 1);
    auto size = static_cast<float>(cut(parabola) * 0x1p-40 * power_of_2(-parts.exponent));
    size = is_tiny(size) || size_of(x) == kInfinite ? 0 : size;
    size = is_tiny(x) ? kInfinite : size;
    return x == x ? signed_as(x, size) : x;
}

/// The segments of even exponents are the first half of both tables.
VGPU_SPECIAL double of_root(const Segment* table, const Parts& parts) {
    const std::uint32_t odd = static_cast<std::uint32_t>(parts.exponent) & 1;
    return cut(interpolate(table, odd << 6 | parts.mantissa >> 17, parts.mantissa & kLowBits)) *
           0x1p-40;
}

VGPU_SPECIAL float special_root(float x) {
    const Parts parts = parts_of(x);
    const auto root = static_cast<float>(of_root(kRoot, parts) * power_of_2(parts.exponent >> 1));
    float result = x > 0 ? root : kNoNumber;
    result = x == kInfinite ? x : result;
    return is_tiny(x) ? signed_as(x, 0) : result;
}

VGPU_SPECIAL float special_reciprocal_root(float x) {
    const Parts parts = parts_of(x);
    const double power = power_of_2(-(parts.exponent >> 1));
    auto root = static_cast<float>(of_root(kReciprocalRoot, parts) * power);
    // Of powers of 4, the parabola is slightly too low.
    const std::uint32_t beyond_power =
        parts.mantissa | (static_cast<std::uint32_t>(parts.exponent) & 1);
    root = beyond_power == 0 ? static_cast<float>(power) : root;
    float result = x > 0 ? root : kNoNumber;
    result = x == kInfinite ? 0 : result;
    return is_tiny(x) ? signed_as(x, kInfinite) : result;
}

/// From 2^(k - 8) to twice that: how many segments, as a power of 2, and where they begin.
inline constexpr std::uint32_t kTanhSegments[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3},
                               kTanhFirst[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};

VGPU_SPECIAL float special_tanh(float x) {
    const float size = size_of(x);
    const bool is_curved = (size >= 0x1p-8F) & (size < 8);
    const Parts parts = parts_of(is_curved ? size : 1.0F);
    const std::uint32_t range = static_cast<std::uint32_t>(parts.exponent + 8),
                        bits = 23 - kTanhSegments[range],
                        place = parts.mantissa & ((1u << bits) - 1);
    const double parabola =
        interpolate(kTanh, kTanhFirst[range] + (parts.mantissa >> bits), place >> (bits - 17));
    const auto curved = static_cast<float>(cut(parabola) * 0x1p-40);
    const float result = size >= 8 ? 1 : curved;
    return size >= 0x1p-8F ? signed_as(x, result) : x;  // or no number
}

}  // namespace vgpu
