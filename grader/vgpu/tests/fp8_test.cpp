// cvt to and from 8-bit floats against a search: the number of all 256 that is nearest.
#include <bit>
#include <cmath>
#include <cstdint>

#include "tests/oracle.h"

using namespace vgpu::test;

namespace {

struct Format {
    std::string name;
    int exponent_bits;
    Bits largest;  ///< its bits; above it: infinity and NaN, or NaN alone
    bool has_infinity;
};
const Format kFormats[] = {{"e4m3x2", 4, 0x7e, false}, {"e5m2x2", 5, 0x7b, true}};

/// Without the sign.
double magnitude(const Format& format, Bits size) {
    const int fraction_bits = 7 - format.exponent_bits,
              bias = (1 << (format.exponent_bits - 1)) - 1;
    const Bits exponent = size >> fraction_bits, fraction = size & ((1u << fraction_bits) - 1);
    const double significand = double(fraction) / (1 << fraction_bits) + (exponent == 0 ? 0 : 1);
    return std::ldexp(significand, (exponent == 0 ? 1 : int(exponent)) - bias);
}

/// To nearest, of two the even one; cut off at the largest number.
Bits nearest(const Format& format, double x, bool relu) {
    if (std::isnan(x)) return 0x7f;
    if (relu && !(x > 0)) return 0;
    const double size = std::fabs(x);
    Bits best = format.largest;
    for (Bits bits = format.largest; bits-- > 0;) {
        const double to_this = std::fabs(magnitude(format, bits) - size),
                     to_best = std::fabs(magnitude(format, best) - size);
        if (to_this < to_best || (to_this == to_best && bits % 2 == 0)) best = bits;
        if (to_this > to_best) break;
    }
    if (size >= magnitude(format, format.largest)) best = format.largest;
    return best | (std::signbit(x) ? 0x80 : 0);
}

double number(Bits f32) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(f32));
}
double half(Bits f16) {
    const Bits exponent = f16 >> 10 & 31, fraction = f16 & 0x3ff;
    const double size = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                        : exponent == 0 ? std::ldexp(double(fraction), -24)
                                        : std::ldexp(double(fraction | 0x400), int(exponent) - 25);
    return (f16 & 0x8000) != 0 ? -size : size;
}

/// All numbers of the format, the middles between neighbours, and what lies beside those; beyond
/// the ends of the range, too.
std::vector<Bits> floats_around(const Format& format) {
    std::vector<Bits> all{0x7f80'0000, 0xff80'0000, 0x7fc0'0000, 0xffc0'0001, 1, 0x8000'0001};
    for (Bits size = 0; size <= format.largest; ++size) {
        const double here = magnitude(format, size),
                     above = size < format.largest ? magnitude(format, size + 1)
                                                   : 2 * here - magnitude(format, size - 1);
        for (const double x : {here, (here + above) / 2})
            for (const int off : {-1, 0, 1}) {
                const Bits bits = std::bit_cast<std::uint32_t>(float(x)) + Bits(off);
                all.push_back(bits & 0xffff'ffff);
                all.push_back((bits ^ 0x8000'0000) & 0xffff'ffff);
            }
    }
    return all;
}

}  // namespace

TEST_CASE("fp8: from pairs of f32, to nearest, and never beyond the largest") {
    for (const Format& format : kFormats)
        for (const bool relu : {false, true}) {
            const auto values = floats_around(format);
            std::vector<std::vector<Bits>> sets;
            for (std::size_t i = 0; i < values.size(); ++i)
                sets.push_back({values[i], values[(i * 7 + 5) % values.size()]});
            const std::string opcode =
                std::string("cvt.rn.satfinite.") + (relu ? "relu." : "") + format.name + ".f32";
            const auto got = run_instruction(opcode, "b16", {"f32", "f32"}, sets);
            for (std::size_t i = 0; i < sets.size(); ++i) {
                INFO(fmt::format("{} {:#x} {:#x}", opcode, sets[i][0], sets[i][1]));
                REQUIRE(got[i] == (nearest(format, number(sets[i][0]), relu) << 8 |
                                   nearest(format, number(sets[i][1]), relu)));
            }
        }
}

TEST_CASE("fp8: from every f16") {
    for (const Format& format : kFormats)
        for (const bool relu : {false, true}) {
            std::vector<std::vector<Bits>> sets;
            for (Bits x = 0; x < 0x10000; ++x) sets.push_back({x | (x ^ 0x1234) << 16});
            const std::string opcode =
                std::string("cvt.rn.satfinite.") + (relu ? "relu." : "") + format.name + ".f16x2";
            const auto got = run_instruction(opcode, "b16", {"f16x2"}, sets);
            for (std::size_t i = 0; i < sets.size(); ++i) {
                const Bits high = nearest(format, half(sets[i][0] >> 16), relu),
                           low = nearest(format, half(sets[i][0] & 0xffff), relu);
                if (got[i] == (high << 8 | low)) continue;
                REQUIRE(fmt::format("{} {:#x} = {:#x}", opcode, sets[i][0], high << 8 | low) ==
                        fmt::format("{} {:#x} = {:#x}", opcode, sets[i][0], got[i]));
            }
        }
}

TEST_CASE("fp8: every pair to halves") {
    for (const Format& format : kFormats)
        for (const bool relu : {false, true}) {
            std::vector<std::vector<Bits>> sets;
            for (Bits x = 0; x < 0x100; ++x) sets.push_back({x | (x ^ 0x5a) << 8});
            const std::string opcode =
                std::string("cvt.rn.") + (relu ? "relu." : "") + "f16x2." + format.name;
            const auto got = run_instruction(opcode, "b32", {"b16"}, sets);
            const auto is_right = [&](Bits from, Bits to) {
                const Bits size = from & 0x7f;
                const bool negative = (from & 0x80) != 0;
                if (size > (format.has_infinity ? format.largest + 1 : format.largest))
                    return to == 0x7fff;
                if (relu && negative) return to == 0;
                if (((to & 0x8000) != 0) != negative) return false;
                if (size > format.largest) return (to & 0x7fff) == 0x7c00;
                return std::fabs(half(to)) == magnitude(format, size);
            };
            for (std::size_t i = 0; i < sets.size(); ++i) {
                INFO(fmt::format("{} {:#x} = {:#x}", opcode, sets[i][0], got[i]));
                REQUIRE(is_right(sets[i][0] & 0xff, got[i] & 0xffff));
                REQUIRE(is_right(sets[i][0] >> 8, got[i] >> 16));
            }
        }
}

TEST_CASE("fp8: as an H200 has them") {
    const std::vector<std::vector<Bits>> in{{0x7fc0'0000}, {0xffc0'0001}, {0x7f80'0000},
                                            {0xff80'0000}, {0x8000'ff7f}, {0x3d00'fe81},
                                            {0xbf00'7d7c}, {0x43e8'0001}};
    const auto twice = [&](const std::string& opcode) {
        return run_instruction(opcode + " %result, %operand0, %operand0;", "b16", {"f32"}, in);
    };
    using All = std::vector<Bits>;
    CHECK(twice("cvt.rn.satfinite.e4m3x2.f32") ==
          All{0x7f7f, 0x7f7f, 0x7e7e, 0xfefe, 0x8080, 0x1010, 0xb0b0, 0x7e7e});
    CHECK(twice("cvt.rn.satfinite.e5m2x2.f32") ==
          All{0x7f7f, 0x7f7f, 0x7b7b, 0xfbfb, 0x8080, 0x2828, 0xb8b8, 0x5f5f});
    CHECK(twice("cvt.rn.satfinite.relu.e5m2x2.f32") ==
          All{0x7f7f, 0x7f7f, 0x7b7b, 0, 0, 0x2828, 0, 0x5f5f});
    CHECK(run_instruction("cvt.rn.relu.f16x2.e4m3x2", "b32", {"b16"},
                          {{0x0001}, {0xff7f}, {0xfe81}, {0x7d7c}}) ==
          All{0x1800, 0x7fff'7fff, 0, 0x5e80'5e00});
}
