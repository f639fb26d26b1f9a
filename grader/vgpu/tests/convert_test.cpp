// cvt among all integer types, f32 and f64, with every rounding and saturation; mov and its
// vectors.
#include <bit>
#include <cfenv>
#include <cmath>

#include "tests/oracle.h"

using namespace vgpu::test;

namespace {

__extension__ using Wide = __int128;

const std::vector<std::string> kIntegers{"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

Wide value(Bits bits, const std::string& type) {
    const unsigned size = bits_of(type);
    bits &= ~Bits{0} >> (64 - size);
    return type[0] == 's' && (bits >> (size - 1) & 1) != 0 ? Wide(bits) - (Wide(1) << size)
                                                           : Wide(bits);
}
Wide largest(const std::string& t) {
    return (Wide(1) << (bits_of(t) - (t[0] == 's' ? 1 : 0))) - 1;
}
Wide smallest(const std::string& t) {
    return t[0] == 's' ? -largest(t) - 1 : 0;
}
/// A number in a register of at least 16 bits: extended by its type.
Bits in_register(Wide x, const std::string& type) {
    return Bits(value(Bits(x), type)) & (~Bits{0} >> (64 - std::max(bits_of(type), 16u)));
}
/// 8-bit operands come in 16-bit registers, whose upper half must not matter.
std::string register_of(const std::string& type) {
    return bits_of(type) == 8 ? type[0] + std::string("16") : type;
}

float f32(Bits bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double f64(Bits bits) {
    return std::bit_cast<double>(bits);
}
Bits bits(float x) {
    return std::isnan(x) ? 0x7fff'ffff : std::bit_cast<std::uint32_t>(x);
}
Bits bits(double x) {
    return std::bit_cast<std::uint64_t>(x);
}

/// NaNs between the sizes: the sign stays, the payload is cut off or filled up, and it is quiet.
Bits widened_nan(Bits x) {
    return ((x & 0x8000'0000) << 32) | 0x7ff8'0000'0000'0000 | ((x & 0x7f'ffff) << 29);
}
Bits narrowed_nan(Bits x) {
    return (x >> 32 & 0x8000'0000) | 0x7fc0'0000 | (x >> 29 & 0x7f'ffff);
}

struct Mode {
    std::string name;
    int host;
};
const std::vector<Mode> kModes{
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// nearbyint of the host, in each mode.
double integral(double x, int mode) {
    volatile double in = x;
    std::fesetround(mode);
    volatile double out = std::nearbyint(in);
    std::fesetround(FE_TONEAREST);
    return out;
}

Bits to_integer(double x, bool from_double, const std::string& type) {
    if (std::isnan(x)) {
        const bool zero = !from_double && bits_of(type) < 64;
        return zero ? 0 : in_register(Wide(1) << (bits_of(type) - 1), type);
    }
    if (x >= 0x1p100) return in_register(largest(type), type);
    if (x <= -0x1p100) return in_register(smallest(type), type);
    return in_register(std::min(std::max(Wide(x), smallest(type)), largest(type)), type);
}

/// The nearest T in a direction, from an exact number.
template <class T>
T rounded(Wide x, int mode) {
    T low = T(x);  // nearest, on the host
    if (mode == FE_TONEAREST) return low;
    T high = low;
    if (Wide(low) > x) low = std::nextafter(low, -std::numeric_limits<T>::infinity());
    if (Wide(high) < x) high = std::nextafter(high, std::numeric_limits<T>::infinity());
    const bool down = mode == FE_DOWNWARD || (mode == FE_TOWARDZERO && x > 0);
    return down ? low : high;
}

}  // namespace

TEST_CASE("convert: between integers, cut off or saturated") {
    for (const auto& to : kIntegers) {
        for (const auto& from : kIntegers) {
            check("cvt." + to + "." + from, register_of(to), {register_of(from)},
                  [&](const auto& x) { return in_register(value(x[0], from), to); });
            check("cvt.sat." + to + "." + from, register_of(to), {register_of(from)},
                  [&](const auto& x) {
                      return in_register(
                          std::min(std::max(value(x[0], from), smallest(to)), largest(to)), to);
                  });
        }
    }
}

TEST_CASE("convert: registers wider than the types") {
    check("cvt.s32.s8", "s32", {"s32"},
          [](const auto& x) { return in_register(value(x[0], "s8"), "s32"); });
    check("cvt.s64.s16", "s64", {"s64"}, [](const auto& x) { return Bits(value(x[0], "s16")); });
    check("cvt.u16.u8 %w0, %operand0; cvt.u64.u32 %result, %w0;", "u64", {"u32"},
          [](const auto& x) { return x[0] & 0xff; });
    check("cvt.f32.u8", "f32", {"u32"}, [](const auto& x) { return bits(float(x[0] & 0xff)); });
}

TEST_CASE("convert: floats to integers round, clamp, and give NaN its value") {
    const std::vector<Mode> modes{
        {"rni", FE_TONEAREST}, {"rzi", FE_TOWARDZERO}, {"rmi", FE_DOWNWARD}, {"rpi", FE_UPWARD}};
    for (const auto& to : kIntegers) {
        for (const auto& mode : modes) {
            check("cvt." + mode.name + "." + to + ".f32", register_of(to), {"f32"},
                  [&](const auto& x) {
                      return to_integer(integral(f32(x[0]), mode.host), false, to);
                  });
            check("cvt." + mode.name + "." + to + ".f64", register_of(to), {"f64"},
                  [&](const auto& x) {
                      return to_integer(integral(f64(x[0]), mode.host), true, to);
                  });
        }
    }
    check("cvt.rpi.ftz.s32.f32", "s32", {"f32"}, [](const auto& x) {
        const float f = f32(x[0]);
        return to_integer(std::fpclassify(f) == FP_SUBNORMAL ? 0 : std::ceil(double{f}), false,
                          "s32");
    });
}

TEST_CASE("convert: integers to floats round as asked") {
    for (const auto& from : kIntegers) {
        for (const auto& mode : kModes) {
            check(
                "cvt." + mode.name + ".f32." + from, "f32", {register_of(from)},
                [&](const auto& x) { return bits(rounded<float>(value(x[0], from), mode.host)); });
            check(
                "cvt." + mode.name + ".f64." + from, "f64", {register_of(from)},
                [&](const auto& x) { return bits(rounded<double>(value(x[0], from), mode.host)); });
        }
    }
}

TEST_CASE("convert: between floats") {
    check("cvt.f64.f32", "f64", {"f32"}, [](const auto& x) {
        return std::isnan(f32(x[0])) ? widened_nan(x[0]) : bits(double{f32(x[0])});
    });
    for (const auto& mode : kModes)
        check("cvt." + mode.name + ".f32.f64", "f32", {"f64"}, [&](const auto& x) {
            volatile double in = f64(x[0]);
            std::fesetround(mode.host);
            volatile float out = static_cast<float>(in);
            std::fesetround(FE_TONEAREST);
            return std::isnan(in) ? narrowed_nan(x[0]) : bits(float{out});
        });
    for (const auto& mode : kModes) {
        check("cvt." + mode.name + "i.f32.f32", "f32", {"f32"},
              [&](const auto& x) { return bits(float(integral(f32(x[0]), mode.host))); });
        check("cvt." + mode.name + "i.f64.f64", "f64", {"f64"}, [&](const auto& x) {
            const double f = f64(x[0]);
            return std::isnan(f) ? x[0] | 0x0008'0000'0000'0000 : bits(integral(f, mode.host));
        });
    }
    check("cvt.sat.f32.f32", "f32", {"f32"}, [](const auto& x) {
        const float f = f32(x[0]);
        return bits(!(f > 0) ? 0.0f : f > 1 ? 1.0f : f);
    });
    check("cvt.rn.ftz.f32.f64", "f32", {"f64"}, [](const auto& x) {
        const auto f = static_cast<float>(f64(x[0]));
        if (std::isnan(f)) return narrowed_nan(x[0]);
        return bits(std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.0f, f) : f);
    });
}

TEST_CASE("move: registers, immediates, vectors packed and unpacked") {
    for (const std::string t :
         {"b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64", "pred"})
        check("mov." + t, t, {t}, [](const auto& x) { return x[0]; });
    check("mov.f32 %result, 0f3FC00000;", "f32", {"f32"}, [](const auto&) { return bits(1.5f); });
    check("mov.f64 %result, 0d3FF8000000000000;", "f64", {"f32"},
          [](const auto&) { return bits(1.5); });
    check("mov.s64 %result, -3;", "s64", {"f32"}, [](const auto&) { return Bits(-3); });
    check("mov.b32 %result, {%operand0, %operand1};", "b32", {"b16", "b16"},
          [](const auto& x) { return x[1] << 16 | x[0]; });
    check("mov.b64 %result, {%operand0, %operand1};", "b64", {"b32", "b32"},
          [](const auto& x) { return x[1] << 32 | x[0]; });
    check("mov.b64 %result, {%operand0, %operand1, %operand0, %operand1};", "b64", {"b16", "b16"},
          [](const auto& x) { return x[1] << 48 | x[0] << 32 | x[1] << 16 | x[0]; });
    check("mov.b32 {%h0, %result}, %operand0;", "b16", {"b32"},
          [](const auto& x) { return x[0] >> 16; });
    check("mov.b64 {%result, _}, %operand0;", "b32", {"b64"},
          [](const auto& x) { return x[0] & 0xffff'ffff; });
    check("mov.b64 {%h0, %h1, %result, %h2}, %operand0;", "b16", {"b64"},
          [](const auto& x) { return x[0] >> 32 & 0xffff; });
}

TEST_CASE("convert: to tf32, whose fraction has 10 bits") {
    const auto rounded = [](auto round) {
        return [round](const auto& x) -> Bits {
            const double value = f32(x[0]);
            if (std::isnan(value)) return 0x7fff'ffff;
            if (std::isinf(value) || value == 0) return x[0];
            const int unit = std::max(std::ilogb(value), -126) - 10;
            return bits(static_cast<float>(std::ldexp(round(std::ldexp(value, -unit)), unit)));
        };
    };
    check("cvt.rna.tf32.f32", "b32", {"f32"}, rounded([](double x) { return std::round(x); }));
    check("cvt.rn.tf32.f32", "b32", {"f32"}, rounded([](double x) { return std::nearbyint(x); }));
    check("cvt.rz.tf32.f32", "b32", {"f32"}, rounded([](double x) { return std::trunc(x); }));
    // Halfway between two: away from zero, or to the even one.
    const auto one = [](const std::string& opcode, Bits x) {
        return run_instruction(opcode, "b32", {"b32"}, {{x}})[0];
    };
    CHECK(one("cvt.rna.tf32.f32", 0xbf80'1000) == 0xbf80'2000);
    CHECK(one("cvt.rn.tf32.f32", 0xbf80'1000) == 0xbf80'0000);
    CHECK(one("cvt.rn.tf32.f32", 0x3f80'3000) == 0x3f80'4000);
    CHECK(one("cvt.rna.tf32.f32", 0x7f7f'ffff) == 0x7f80'0000);
}

TEST_CASE("convert: two integers packed into small ones") {
    for (const std::string type : {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"}) {
        const unsigned size = bits_of(type);
        const auto packed = [&](const auto& x) {
            const auto cut = [&](Bits a) {
                const Wide number =
                    std::min(std::max(value(a, "s32"), smallest(type)), largest(type));
                return Bits(number) & ((Bits{1} << size) - 1);
            };
            const Bits both = cut(x[1]) | cut(x[0]) << size;
            return size == 16 ? both : (both | x[2] << (2 * size)) & 0xffff'ffff;
        };
        if (size == 16)
            check("cvt.pack.sat." + type + ".s32", "b32", {"s32", "s32"}, packed);
        else
            check("cvt.pack.sat." + type + ".s32.b32", "b32", {"s32", "s32", "b32"}, packed);
    }
}
