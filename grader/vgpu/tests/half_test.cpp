// f16 and bf16, alone and in pairs, against an oracle that looks results up in the list of all
// numbers of the format.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <map>

#include "tests/oracle.h"

using namespace vgpu::test;

namespace {

struct Format {
    std::string name;
    int fraction = 10;
    double bias_scale = 0x1p-14;  // the smallest normal number
    Bits infinity = 0x7c00, one = 0x3c00;
};
const Format kF16{"f16", 10, 0x1p-14, 0x7c00, 0x3c00};
const Format kBf16{"bf16", 7, 0x1p-126, 0x7f80, 0x3f80};

double value(const Format& f, Bits bits) {
    const Bits size = bits & 0x7fff;
    double x = 0;
    if (size > f.infinity)
        x = std::numeric_limits<double>::quiet_NaN();
    else if (size == f.infinity)
        x = std::numeric_limits<double>::infinity();
    else {
        const auto exponent = static_cast<int>(size >> f.fraction);
        const double unit = f.bias_scale / static_cast<double>(1 << f.fraction);
        const Bits significand = size & ((1u << f.fraction) - 1);
        x = exponent == 0 ? static_cast<double>(significand) * unit
                          : std::ldexp(static_cast<double>(significand | 1u << f.fraction) * unit,
                                       exponent - 1);
    }
    return (bits & 0x8000) != 0 ? -x : x;
}

/// A real number: `cut` is it, cut off towards zero, and `more` whether something was lost.
struct Real {
    double cut = 0;
    bool more = false;
};

/// `mode`: rn, rz, rm or rp.
Bits rounded(const Format& f, Real x, const std::string& mode = "rn") {
    if (std::isnan(x.cut)) return 0x7fff;
    const Bits sign = std::signbit(x.cut) ? 0x8000 : 0;
    const double size = std::fabs(x.cut);
    if (std::isinf(size)) return f.infinity | sign;
    Bits below = 0;  // the largest number of the format that is not larger
    for (Bits bit = 0x4000; bit != 0; bit >>= 1)
        if ((below | bit) < f.infinity && value(f, below | bit) <= size) below |= bit;
    const double lower = value(f, below);
    if (lower == size && !x.more) return below | sign;
    // Above the largest number the next one would follow at the same distance.
    const double step =
        below + 1 == f.infinity ? lower - value(f, below - 1) : value(f, below + 1) - lower;
    const double middle = lower + step / 2;
    bool up = size > middle || (size == middle && (x.more || (below & 1) != 0));
    if (mode == "rz") up = false;
    if (mode == "rm") up = sign != 0;
    if (mode == "rp") up = sign == 0;
    return (up ? below + 1 : below) | sign;
}

/// What `operation` gives, cut off: in the host's rounding towards zero.
template <class F>
Real real(F operation) {
    std::feclearexcept(FE_ALL_EXCEPT);
    const int before = std::fegetround();
    std::fesetround(FE_TOWARDZERO);
    volatile double x = operation();
    std::fesetround(before);
    return {x, std::fetestexcept(FE_INEXACT) != 0};
}
/// Sums that are zero have the sign that rounding to nearest gives them.
template <class F>
Bits nearest(const Format& f, F operation) {
    const volatile double exact_zero = operation();
    if (exact_zero == 0) return std::signbit(exact_zero) ? 0x8000 : 0;
    return rounded(f, real(operation));
}

Bits flush(const Format& f, Bits x) {
    return (x & f.infinity) == 0 ? x & 0x8000 : x;
}
Bits saturated(const Format& f, Bits x) {
    const double v = value(f, x);
    return !(v > 0) ? 0 : v > 1 ? f.one : x;
}
bool is_nan(const Format& f, Bits x) {
    return std::isnan(value(f, x));
}
Bits smaller(const Format& f, Bits a, Bits b, bool larger = false) {
    if (is_nan(f, a) || is_nan(f, b)) return is_nan(f, a) ? is_nan(f, b) ? 0x7fff : b : a;
    const double x = value(f, a), y = value(f, b);
    const bool a_less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
    return a_less != larger ? a : b;
}

using Function = std::function<Bits(const Format&, const std::vector<Bits>&)>;

struct Case {
    std::string name;  // with * for the type
    std::size_t operands = 2;
    Function function;
};

Bits fma(const Format& f, const std::vector<Bits>& x) {
    volatile double a = value(f, x[0]), b = value(f, x[1]), c = value(f, x[2]);
    return nearest(f, [&] { return std::fma(a, b, c); });
}
Bits add(const Format& f, const std::vector<Bits>& x) {
    volatile double a = value(f, x[0]), b = value(f, x[1]);
    return nearest(f, [&] { return a + b; });
}
Bits mul(const Format& f, const std::vector<Bits>& x) {
    volatile double a = value(f, x[0]), b = value(f, x[1]);
    return nearest(f, [&] { return a * b; });
}

const std::vector<Case> kCases{
    {"add.*", 2, add},
    {"add.rn.*", 2, add},
    {"add.sat.*", 2, [](auto& f, auto& x) { return saturated(f, add(f, x)); }},
    {"add.ftz.*", 2,
     [](auto& f, auto& x) {
         return flush(f, add(f, {flush(f, x[0]), flush(f, x[1])}));
     }},
    {"sub.*", 2,
     [](auto& f, auto& x) {
         return add(f, {x[0], x[1] ^ 0x8000});
     }},
    {"mul.*", 2, mul},
    {"mul.ftz.sat.*", 2,
     [](auto& f, auto& x) {
         return saturated(f, flush(f, mul(f, {flush(f, x[0]), flush(f, x[1])})));
     }},
    {"fma.rn.*", 3, fma},
    {"fma.rn.sat.*", 3, [](auto& f, auto& x) { return saturated(f, fma(f, x)); }},
    {"fma.rn.relu.*", 3,
     [](auto& f, auto& x) {
         const Bits y = fma(f, x);
         return (y & 0x8000) != 0 ? 0 : y;
     }},
    {"min.*", 2, [](auto& f, auto& x) { return smaller(f, x[0], x[1]); }},
    {"max.*", 2, [](auto& f, auto& x) { return smaller(f, x[0], x[1], true); }},
    {"min.NaN.*", 2,
     [](auto& f, auto& x) {
         return is_nan(f, x[0]) || is_nan(f, x[1]) ? 0x7fff : smaller(f, x[0], x[1]);
     }},
    {"max.NaN.*", 2,
     [](auto& f, auto& x) {
         return is_nan(f, x[0]) || is_nan(f, x[1]) ? 0x7fff : smaller(f, x[0], x[1], true);
     }},
    {"neg.*", 1, [](auto& f, auto& x) { return is_nan(f, x[0]) ? 0x7fff : x[0] ^ 0x8000; }},
    {"abs.*", 1, [](auto& f, auto& x) { return is_nan(f, x[0]) ? 0x7fff : x[0] & 0x7fff; }},
    {"abs.ftz.*", 1,
     [](auto& f, auto& x) { return is_nan(f, x[0]) ? 0x7fff : flush(f, x[0]) & 0x7fff; }},
};

std::string with_type(std::string text, const std::string& type) {
    return text.replace(text.find('*'), 1, type);
}

}  // namespace

TEST_CASE("half: arithmetic rounds once, whatever the operands") {
    for (const Format& f : {kF16, kBf16})
        for (const Case& c : kCases)
            check(with_type(c.name, f.name), f.name, std::vector(c.operands, f.name),
                  [&](const std::vector<Bits>& x) { return c.function(f, x); });
}

TEST_CASE("half: instructions on pairs do in each half what the single ones do") {
    for (const Format& f : {kF16, kBf16})
        for (const Case& c : kCases)
            check(with_type(c.name, f.name + "x2"), f.name + "x2",
                  std::vector(c.operands, f.name + "x2"), [&](const std::vector<Bits>& x) {
                      std::vector<Bits> lo, hi;
                      for (const Bits pair : x)
                          lo.push_back(pair & 0xffff), hi.push_back(pair >> 16);
                      return c.function(f, lo) | c.function(f, hi) << 16;
                  });
}

TEST_CASE("half: a product halfway between two numbers goes where the addend pulls it") {
    // 1 + 2^-8 lies between two bf16; 2^-100 decides, far below a double's last bit.
    const auto fma_bits = [](Bits a, Bits b, Bits c) {
        return run_instruction("fma.rn.bf16", "bf16", {"bf16", "bf16", "bf16"}, {{a, b, c}})[0];
    };
    const Bits x = 0x3f90, y = 0x3fb9;  // 1.125 * 1.4453125 = 1.6259765625, halfway
    const Bits product = rounded(kBf16, {value(kBf16, x) * value(kBf16, y), false});
    CHECK(fma_bits(x, y, 0x0d80) == rounded(kBf16, {value(kBf16, x) * value(kBf16, y), true}));
    CHECK(fma_bits(x, y, 0) == product);
}

TEST_CASE("half: approximations are the rounded result") {
    for (const Format& f : {kF16, kBf16}) {
        const auto rounded_of = [&](double (*function)(double)) {
            return [&f, function](const std::vector<Bits>& x) {
                return rounded(f, {function(value(f, x[0])), false});
            };
        };
        check("ex2.approx." + f.name, f.name, {f.name}, rounded_of(std::exp2));
        check("tanh.approx." + f.name, f.name, {f.name}, rounded_of(std::tanh));
    }
}

TEST_CASE("half: comparisons") {
    struct Comparison {
        std::string name;
        bool (*holds)(double, double);
    };
    const std::vector<Comparison> comparisons{
        {"eq", [](double a, double b) { return a == b; }},
        {"ne", [](double a, double b) { return a < b || a > b; }},
        {"lt", [](double a, double b) { return a < b; }},
        {"ge", [](double a, double b) { return a >= b; }},
        {"neu", [](double a, double b) { return !(a == b); }},
        {"gtu", [](double a, double b) { return !(a <= b); }},
        {"num", [](double a, double b) { return !std::isnan(a) && !std::isnan(b); }},
        {"nan", [](double a, double b) { return std::isnan(a) || std::isnan(b); }}};
    for (const Format& f : {kF16, kBf16})
        for (const auto& c : comparisons) {
            const auto holds = [&](Bits a, Bits b) { return c.holds(value(f, a), value(f, b)); };
            const std::string t = f.name, pair = f.name + "x2";
            const auto each = [&](Bits yes) {
                return [&, yes](const std::vector<Bits>& x) {
                    return (holds(x[0] & 0xffff, x[1] & 0xffff) ? yes : 0) |
                           (holds(x[0] >> 16, x[1] >> 16) ? yes << 16 : 0);
                };
            };
            check("setp." + c.name + "." + t, "pred", {t, t},
                  [&](auto& x) { return Bits{holds(x[0], x[1])}; });
            check("set." + c.name + "." + t + "." + t, t, {t, t},
                  [&](auto& x) { return holds(x[0], x[1]) ? f.one : 0; });
            check("set." + c.name + ".u32." + t, "u32", {t, t},
                  [&](auto& x) { return holds(x[0], x[1]) ? 0xffff'ffff : 0; });
            check("set." + c.name + "." + pair + "." + pair, pair, {pair, pair}, each(f.one));
            check("set." + c.name + ".u32." + pair, "u32", {pair, pair}, each(0xffff));
            check(fmt::format("setp.{}.{} %p0|%p1, %operand0, %operand1;\n"
                              "selp.b32 %w0, 1, 0, %p0; selp.b32 %w1, 2, 0, %p1;\n"
                              "or.b32 %result, %w0, %w1;",
                              c.name, pair),
                  "b32", {pair, pair}, [&](auto& x) {
                      return Bits{holds(x[0] & 0xffff, x[1] & 0xffff)} |
                             Bits{holds(x[0] >> 16, x[1] >> 16)} << 1;
                  });
        }
}

TEST_CASE("half: conversions from f32, f64 and integers, in all rounding modes") {
    const auto f32 = [](Bits x) {
        return double{std::bit_cast<float>(static_cast<std::uint32_t>(x))};
    };
    const auto signed_of = [](Bits x, unsigned bits) {
        return static_cast<std::int64_t>(x << (64 - bits)) >> (64 - bits);
    };
    for (const Format& f : {kF16, kBf16})
        for (const std::string mode : {"rn", "rz", "rm", "rp"}) {
            const std::string cvt = "cvt." + mode + "." + f.name + ".";
            check(cvt + "f32", f.name, {"f32"}, [&](auto& x) {
                return rounded(f, {f32(x[0]), false}, mode);
            });
            check(cvt + "f64", f.name, {"f64"}, [&](auto& x) -> Bits {
                const double value = std::bit_cast<double>(x[0]);
                // An H200 keeps sign and payload of such a NaN, and only there.
                if (std::isnan(value) && f.name == kF16.name)
                    return (x[0] >> 48 & 0x8000) | 0x7e00 | (x[0] >> 42 & 0x3ff);
                return rounded(f, {value, false}, mode);
            });
            for (const unsigned bits : {16u, 32u, 64u}) {
                const auto cut = [&](auto integer) {
                    return rounded(f, real([&] { return static_cast<double>(integer); }), mode);
                };
                check(cvt + fmt::format("u{}", bits), f.name, {fmt::format("u{}", bits)},
                      [&](auto& x) {
                          volatile Bits integer = x[0];
                          return cut(+integer);
                      });
                check(cvt + fmt::format("s{}", bits), f.name, {fmt::format("s{}", bits)},
                      [&](auto& x) {
                          volatile std::int64_t integer = signed_of(x[0], bits);
                          return cut(+integer);
                      });
            }
            check("cvt." + mode + "." + f.name + "x2.f32", "u32", {"f32", "f32"}, [&](auto& x) {
                return rounded(f, {f32(x[1]), false}, mode) | rounded(f, {f32(x[0]), false}, mode)
                                                                  << 16;
            });
        }
    for (const Format& f : {kF16, kBf16}) {
        check("cvt.rn.sat." + f.name + ".f32", f.name, {"f32"}, [&](auto& x) {
            return saturated(f, rounded(f, {f32(x[0]), false}));
        });
        check("cvt.rn.relu." + f.name + ".f32", f.name, {"f32"}, [&](auto& x) {
            const Bits y = rounded(f, {f32(x[0]), false});
            return (y & 0x8000) != 0 ? 0 : y;
        });
    }
}

TEST_CASE("half: conversions to f32, f64 and integers") {
    const std::map<std::string, double (*)(double)> roundings{
        {"rni", std::nearbyint}, {"rzi", std::trunc}, {"rmi", std::floor}, {"rpi", std::ceil}};
    for (const Format& f : {kF16, kBf16}) {
        const std::string t = f.name;
        check("cvt.f32." + t, "f32", {t}, [&](auto& x) -> Bits {
            if (is_nan(f, x[0])) return 0x7fff'ffff;
            return std::bit_cast<std::uint32_t>(static_cast<float>(value(f, x[0])));
        });
        check("cvt.f64." + t, "f64", {t}, [&](auto& x) -> Bits {
            if (is_nan(f, x[0])) return 0x7fff'ffff'e000'0000;
            return std::bit_cast<Bits>(value(f, x[0]));
        });
        for (const auto& [mode, function] : roundings) {
            check("cvt." + mode + "." + t + "." + t, t, {t}, [&](auto& x) {
                return rounded(f, {function(value(f, x[0])), false});
            });
            for (const unsigned bits : {8u, 16u, 32u, 64u})
                for (const bool is_signed : {false, true}) {
                    const double largest = std::ldexp(1.0, static_cast<int>(bits) - is_signed);
                    const double smallest = is_signed ? -largest : 0;
                    check(fmt::format("cvt.{}.{}{}.{}", mode, is_signed ? 's' : 'u', bits, t),
                          fmt::format("{}{}", is_signed ? 's' : 'u', std::max(bits, 16u)), {t},
                          [&](auto& x) -> Bits {
                              const Bits ones = ~Bits{0} >> (64 - std::max(bits, 16u));
                              const Bits all = ~Bits{0} >> (64 - bits);
                              const double y = function(value(f, x[0]));
                              if (std::isnan(y)) return bits == 64 ? Bits{1} << 63 : 0;
                              if (y >= largest) return is_signed ? all >> 1 : all;
                              if (y < smallest) return is_signed ? ~(all >> 1) & ones : 0;
                              return (y < 0 ? static_cast<Bits>(static_cast<std::int64_t>(y))
                                            : static_cast<Bits>(y)) &
                                     ones;
                          });
                }
        }
    }
}
