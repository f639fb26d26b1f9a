// Floating-point arithmetic: IEEE operations bit for bit against the host's in the same rounding
// mode, approximations within the error that the PTX ISA allows.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/oracle.h"

using namespace vgpu::test;

namespace {

float f32(Bits bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double f64(Bits bits) {
    return std::bit_cast<double>(bits);
}
Bits bits(float x) {
    return std::isnan(x) ? 0x7fff'ffff : std::bit_cast<std::uint32_t>(x);
}
/// The NaN of an f64 result, as an H200 gives it: the first NaN among `candidates`, made quiet, or
/// that of an invalid operation.
Bits nan64(const std::vector<Bits>& candidates) {
    for (const Bits x : candidates)
        if (std::isnan(f64(x))) return x | 0x0008'0000'0000'0000;
    return 0xfff8'0000'0000'0000;
}
Bits bits(double x, const std::vector<Bits>& nan_candidates) {
    return std::isnan(x) ? nan64(nan_candidates) : std::bit_cast<std::uint64_t>(x);
}
/// In which order an operation's operands are looked through for a NaN.
std::vector<Bits> nan_order(const std::string& operation, const std::vector<Bits>& x) {
    if (x.size() == 1 || operation == "div") return x;
    return x.size() == 2 ? std::vector{x[1], x[0]} : std::vector{x[1], x[2], x[0]};
}
float flush(float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
float saturate(float x) {
    return std::isnan(x) ? 0 : std::fmin(std::fmax(x, 0.0f), 1.0f) + 0.0f;
}

const std::vector<std::pair<std::string, int>> kModes{
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// Operands pass through volatile: the compiler must not compute in its own rounding mode.
template <class T, class F>
T in_mode(int mode, F f, T a, T b, T c) {
    volatile T x = a, y = b, z = c;
    std::fesetround(mode);
    volatile T result = f(T(x), T(y), T(z));
    std::fesetround(FE_TONEAREST);
    return result;
}

struct Operation {
    std::string name;
    std::size_t operands;
    std::function<float(float, float, float)> single;
    std::function<double(double, double, double)> twice;
};

const std::vector<Operation> kOperations{
    {"add", 2, [](float a, float b, float) { return a + b; },
     [](double a, double b, double) { return a + b; }},
    {"sub", 2, [](float a, float b, float) { return a - b; },
     [](double a, double b, double) { return a - b; }},
    {"mul", 2, [](float a, float b, float) { return a * b; },
     [](double a, double b, double) { return a * b; }},
    {"div", 2, [](float a, float b, float) { return a / b; },
     [](double a, double b, double) { return a / b; }},
    {"fma", 3, [](float a, float b, float c) { return std::fma(a, b, c); },
     [](double a, double b, double c) { return std::fma(a, b, c); }},
    {"rcp", 1, [](float a, float, float) { return 1 / a; },
     [](double a, double, double) { return 1 / a; }},
    {"sqrt", 1, [](float a, float, float) { return std::sqrt(a); },
     [](double a, double, double) { return std::sqrt(a); }}};

template <class T, class F>
T apply(F f, int mode, const std::vector<Bits>& x, T (*read)(Bits)) {
    return in_mode<T>(mode, f, read(x[0]), x.size() > 1 ? read(x[1]) : T(0),
                      x.size() > 2 ? read(x[2]) : T(0));
}

/// Within `ulps` of the exact value, or `absolute` of it; NaN where that is NaN.
void check_close(const std::string& opcode, const std::vector<Bits>& inputs, double ulps,
                 double absolute, const std::function<double(double)>& exact, bool flushes) {
    std::vector<std::vector<Bits>> sets;
    for (const Bits x : inputs) sets.push_back({x});
    const auto got = run_instruction(opcode, "f32", {"f32"}, sets);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const float x = flushes ? flush(f32(inputs[i])) : f32(inputs[i]);
        const double expected = exact(double{x});
        const double result = f32(got[i]);
        INFO(opcode << " of " << x << ": expected " << expected << ", got " << result);
        if (std::isnan(expected)) {
            REQUIRE(std::isnan(result));
        } else if (std::isinf(static_cast<float>(expected)) || expected == 0) {
            REQUIRE(result == double{static_cast<float>(expected)});
        } else {
            const double ulp = std::ldexp(1.0, std::max(std::ilogb(expected), -126) - 23);
            const bool flushed =
                flushes && result == 0 && std::fabs(expected) < std::ldexp(1.0, -126);
            REQUIRE((flushed || std::fabs(result - expected) <= std::max(ulps * ulp, absolute)));
        }
    }
}

}  // namespace

TEST_CASE("floating: add, sub, mul, div, fma, rcp, sqrt round as asked, in f32 and f64") {
    for (const auto& operation : kOperations) {
        for (const auto& [name, mode] : kModes) {
            const int m = mode;
            check(operation.name + "." + name + ".f32", "f32",
                  std::vector<std::string>(operation.operands, "f32"),
                  [&](const auto& x) { return bits(apply<float>(operation.single, m, x, f32)); });
            check(operation.name + "." + name + ".f64", "f64",
                  std::vector<std::string>(operation.operands, "f64"), [&](const auto& x) {
                      return bits(apply<double>(operation.twice, m, x, f64),
                                  nan_order(operation.name, x));
                  });
        }
    }
}

TEST_CASE("floating: .ftz flushes operands and results, .sat clamps to [0, 1]") {
    const auto flushed = [](std::vector<Bits> x) {
        for (Bits& b : x) b = bits(flush(f32(b)));
        return x;
    };
    for (const auto& operation : kOperations) {
        const std::vector<std::string> operands(operation.operands, "f32");
        check(operation.name + ".rn.ftz.f32", "f32", operands, [&](const auto& x) {
            return bits(flush(apply<float>(operation.single, FE_TONEAREST, flushed(x), f32)));
        });
        if (operation.name != "add" && operation.name != "sub" && operation.name != "mul" &&
            operation.name != "fma")
            continue;
        check(operation.name + ".rn.sat.f32", "f32", operands, [&](const auto& x) {
            return bits(saturate(apply<float>(operation.single, FE_TONEAREST, x, f32)));
        });
        check(operation.name + ".rz.ftz.sat.f32", "f32", operands, [&](const auto& x) {
            return bits(
                saturate(flush(apply<float>(operation.single, FE_TOWARDZERO, flushed(x), f32))));
        });
    }
}

TEST_CASE("floating: min and max order zeros and prefer numbers to NaN") {
    const auto min = [](auto a, auto b) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
        if (a == 0 && b == 0) return std::signbit(a) ? a : b;
        return a < b ? a : b;
    };
    const auto max = [&](auto a, auto b) { return -min(-a, -b); };
    check("min.f32", "f32", {"f32", "f32"},
          [&](const auto& x) { return bits(min(f32(x[0]), f32(x[1]))); });
    check("max.f32", "f32", {"f32", "f32"},
          [&](const auto& x) { return bits(max(f32(x[0]), f32(x[1]))); });
    check("min.f64", "f64", {"f64", "f64"},
          [&](const auto& x) { return bits(min(f64(x[0]), f64(x[1])), nan_order("min", x)); });
    check("max.f64", "f64", {"f64", "f64"},
          [&](const auto& x) { return bits(max(f64(x[0]), f64(x[1])), nan_order("max", x)); });
    check("max.ftz.f32", "f32", {"f32", "f32"},
          [&](const auto& x) { return bits(max(flush(f32(x[0])), flush(f32(x[1])))); });
    check("min.NaN.f32", "f32", {"f32", "f32"}, [&](const auto& x) {
        const float a = f32(x[0]), b = f32(x[1]);
        return bits(std::isnan(a) || std::isnan(b) ? std::nanf("") : min(a, b));
    });
}

TEST_CASE("floating: abs, neg and copysign change signs only") {
    check("abs.f32", "f32", {"f32"}, [](const auto& x) { return bits(std::fabs(f32(x[0]))); });
    check("neg.f32", "f32", {"f32"}, [](const auto& x) { return bits(-f32(x[0])); });
    check("abs.ftz.f32", "f32", {"f32"},
          [](const auto& x) { return bits(std::fabs(flush(f32(x[0])))); });
    check("neg.ftz.f32", "f32", {"f32"}, [](const auto& x) { return bits(-flush(f32(x[0]))); });
    const Bits sign = Bits{1} << 63;
    check("abs.f64", "f64", {"f64"}, [=](const auto& x) {
        return std::isnan(f64(x[0])) ? nan64(x) : x[0] & ~sign;  // a NaN keeps its sign
    });
    check("neg.f64", "f64", {"f64"},
          [=](const auto& x) { return std::isnan(f64(x[0])) ? nan64(x) : x[0] ^ sign; });
    check("copysign.f64", "f64", {"f64", "f64"},
          [=](const auto& x) { return (x[0] & sign) | (x[1] & ~sign); });
    check("copysign.f32", "f32", {"f32", "f32"},
          [=](const auto& x) { return (x[0] & 0x8000'0000) | (x[1] & 0x7fff'ffff); });
}

TEST_CASE("floating: approximations keep within the PTX ISA's errors") {
    std::vector<Bits> all = values_of("f32"), near;
    for (int i = -200; i <= 200; ++i) near.push_back(bits(static_cast<float>(i) * 0.0157f));
    std::vector<Bits> both = all;
    both.insert(both.end(), near.begin(), near.end());
    for (const bool flushes : {false, true}) {
        const std::string type = flushes ? ".ftz.f32" : ".f32";
        check_close(
            "rcp.approx" + type, both, 1, 0, [](double x) { return 1 / x; }, flushes);
        check_close(
            "sqrt.approx" + type, both, 2, 0, [](double x) { return std::sqrt(x); }, flushes);
        check_close(
            "rsqrt.approx" + type, both, 3, 0, [](double x) { return 1 / std::sqrt(x); }, flushes);
        check_close(
            "ex2.approx" + type, both, 3, 0, [](double x) { return std::exp2(x); }, flushes);
        check_close(
            "lg2.approx" + type, both, 2, std::ldexp(1, -22), [](double x) { return std::log2(x); },
            flushes);
        // Absolute errors, promised between -pi and pi.
        check_close(
            "sin.approx" + type, near, 2, std::ldexp(1, -20), [](double x) { return std::sin(x); },
            flushes);
        check_close(
            "cos.approx" + type, near, 2, std::ldexp(1, -20), [](double x) { return std::cos(x); },
            flushes);
    }
    check_close(
        "tanh.approx.f32", both, 0, std::ldexp(1, -11), [](double x) { return std::tanh(x); },
        false);
}

TEST_CASE("floating: approximations are an H200's, bit for bit") {
    // Results of one (driver 580.159.04, 2026-11-22) for `count` floats, every step-th from `first`
    // on: FNV-1a of them, a word at a time.
    struct Measured {
        std::string opcode;
        Bits first, step, count, hash;
    };
    const std::vector<Measured> kMeasured{{"sin", 0x3f000000, 4096, 8192, 0x289b02042e9cfc65},
                                          {"sin", 0x35800000, 65536, 128, 0xc59cb8d94919eb65},
                                          {"sin", 0x39a66666, 1, 2000, 0xfb2ea99394ae4921},
                                          {"cos", 0x3f000000, 4096, 8192, 0x767f81da367a0899},
                                          {"lg2", 0x3f800000, 2048, 4096, 0x185b58f4037cbdf5},
                                          {"lg2", 0x3f000000, 4096, 2048, 0xf928e193db2c0360},
                                          {"lg2", 0x3f7ff830, 1, 4000, 0x8b5fa21d7ffde5f9},
                                          {"lg2", 0x000002bd, 1777, 2000, 0xbbabddfbb6612e5b},
                                          {"ex2", 0x3f800000, 4096, 2048, 0xd0feea4d7d8a85cc},
                                          {"ex2", 0xbf266666, 1, 2000, 0x32217887d3dd55d1},
                                          {"ex2", 0xc2a66666, 1, 2000, 0x7f38390f96682ae4},
                                          {"ex2", 0x39a66666, 1, 2000, 0x3d276145a0205a65},
                                          {"rcp", 0x3f800000, 2048, 4096, 0x08a2bd0ba2b0107c},
                                          {"rsqrt", 0x3f800000, 4096, 4096, 0xbbb896e4d11f25b0},
                                          {"sqrt", 0x3f800000, 4096, 4096, 0x024353e399b8fb19},
                                          {"tanh", 0x3b000000, 4096, 2048, 0x9e07792f3f57c325},
                                          {"tanh", 0x3c000000, 4096, 2048, 0xca6b1b4b5645a2b8},
                                          {"tanh", 0x3d800000, 4096, 2048, 0x33cd1caeb9005d59},
                                          {"tanh", 0x3f000000, 4096, 2048, 0x2617d85b7c06d921},
                                          {"tanh", 0x40000000, 4096, 2048, 0x4b2f72b38cfaf27b},
                                          {"tanh", 0x40800000, 4096, 2048, 0xa91f4282c8743c33}};
    for (const Measured& m : kMeasured) {
        std::vector<std::vector<Bits>> arguments;
        for (Bits k = 0; k < m.count; ++k) arguments.push_back({m.first + k * m.step});
        Bits hash = 14695981039346656037u;
        for (const Bits result :
             run_instruction(m.opcode + ".approx.f32", "f32", {"f32"}, arguments))
            hash = (hash ^ result) * 1099511628211u;
        INFO(m.opcode << " from " << f32(m.first) << " on");
        CHECK(hash == m.hash);
    }
}

TEST_CASE("floating: approximations of zeros, infinities and subnormals, sign included") {
    constexpr Bits kInfinity = 0x7f80'0000, kMinus = 0x8000'0000, kNan = 0x7fff'ffff,
                   kOne = 0x3f80'0000;
    constexpr Bits kTiny = 1;  // the smallest subnormal
    struct Special {
        std::string opcode;
        Bits minus_infinity, minus_zero, zero, infinity;
        Bits minus_tiny_flushed, tiny_flushed;  // by .ftz
    };
    const std::vector<Special> kSpecial{
        {"rcp", kMinus, kMinus | kInfinity, kInfinity, 0, kMinus | kInfinity, kInfinity},
        {"rsqrt", kNan, kMinus | kInfinity, kInfinity, 0, kMinus | kInfinity, kInfinity},
        {"sqrt", kNan, kMinus, 0, kInfinity, kMinus, 0},
        {"sin", kNan, kMinus, 0, kNan, kMinus, 0},
        {"cos", kNan, kOne, kOne, kNan, kOne, kOne},
        {"lg2", kNan, kMinus | kInfinity, kMinus | kInfinity, kInfinity, kMinus | kInfinity,
         kMinus | kInfinity},
        {"ex2", 0, kOne, kOne, kInfinity, kOne, kOne}};
    for (const Special& s : kSpecial)
        for (const std::string flush : {"", ".ftz"}) {
            const std::string opcode = s.opcode + ".approx" + flush + ".f32";
            INFO(opcode);
            const auto got = run_instruction(opcode, "f32", {"f32"},
                                             {{kMinus | kInfinity},
                                              {kMinus},
                                              {0},
                                              {kInfinity},
                                              {kNan},
                                              {kMinus | kTiny},
                                              {kTiny}});
            CHECK(got[0] == s.minus_infinity);
            CHECK(got[1] == s.minus_zero);
            CHECK(got[2] == s.zero);
            CHECK(got[3] == s.infinity);
            CHECK(got[4] == kNan);
            if (flush.empty()) continue;
            CHECK(got[5] == s.minus_tiny_flushed);
            CHECK(got[6] == s.tiny_flushed);
        }
    const auto tanh = run_instruction(
        "tanh.approx.f32", "f32", {"f32"},
        {{kMinus | kInfinity}, {kMinus}, {0}, {kInfinity}, {kNan}, {kMinus | kTiny}, {kTiny}});
    CHECK(tanh == std::vector<Bits>{kMinus | kOne, kMinus, 0, kOne, kNan, kMinus | kTiny, kTiny});
    // Results that underflow are flushed, too.
    const Bits small = bits(-149.0f), large = bits(0x1p127f);
    CHECK(run_instruction("ex2.approx.f32", "f32", {"f32"}, {{small}})[0] == kTiny);
    CHECK(run_instruction("ex2.approx.ftz.f32", "f32", {"f32"}, {{small}})[0] == 0);
    CHECK(run_instruction("rcp.approx.ftz.f32", "f32", {"f32"}, {{kMinus | large}})[0] == kMinus);
    CHECK(run_instruction("rcp.approx.f32", "f32", {"f32"}, {{large}})[0] == bits(0x1p-127f));
}

TEST_CASE("floating: quotients by divisors above 2^126, and what .ftz makes of small ones") {
    const auto quotient = [](const std::string& form, float a, float b) {
        return run_instruction("div." + form, "f32", {"f32", "f32"}, {{bits(a), bits(b)}})[0];
    };
    const float huge = 0x1.8p126f, infinity = std::numeric_limits<float>::infinity();
    for (const std::string flush : {"", ".ftz"}) {
        // div.approx multiplies by a reciprocal that has become 0; div.full scales before.
        CHECK(quotient("approx" + flush + ".f32", 3, huge) == bits(0.0f));
        CHECK(quotient("approx" + flush + ".f32", -3, huge) == bits(-0.0f));
        CHECK(quotient("approx" + flush + ".f32", infinity, huge) == 0x7fff'ffff);
        CHECK(quotient("approx" + flush + ".f32", 3, infinity) == bits(0.0f));
        CHECK(quotient("full" + flush + ".f32", huge, huge) == bits(1.0f));
        CHECK(quotient("full" + flush + ".f32", huge, -huge / 2) == bits(-2.0f));
    }
    CHECK(quotient("full.f32", 1.5f, huge) == bits(0x1p-126f));
    CHECK(quotient("full.f32", 0.75f, huge) == bits(0x1p-127f));
    CHECK(quotient("full.ftz.f32", -0.75f, huge) == bits(-0.0f));
    CHECK(quotient("full.ftz.f32", 1, 0x1p-130f) == bits(infinity));
    CHECK(quotient("approx.f32", 0x1p-140f, 0x1p-139f) == bits(0.5f));
    CHECK(quotient("approx.ftz.f32", 0x1p-140f, 0x1p-139f) == 0x7fff'ffff);
}

TEST_CASE("floating: div.approx is a times a reciprocal, div.full covers the whole range") {
    const auto sets = combinations({"f32", "f32"});
    for (const std::string opcode : {"div.approx.f32", "div.full.f32"}) {
        const auto got = run_instruction(opcode, "f32", {"f32", "f32"}, sets);
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const float a = f32(sets[i][0]), b = f32(sets[i][1]), size = std::fabs(b);
            const bool huge = opcode == "div.approx.f32" && size > 0x1p126f && !std::isinf(size);
            const float expected = huge ? a * std::copysign(0.0f, b) : a / b;
            INFO(opcode << " " << a << " " << b);
            // PTX allows 2 units in the last place.
            const bool is_finite = std::isfinite(expected) && expected != 0;
            REQUIRE(std::abs(static_cast<std::int64_t>(got[i]) -
                             static_cast<std::int64_t>(bits(expected))) <= (is_finite ? 2 : 0));
        }
    }
}

TEST_CASE("floating: rcp.approx.ftz.f64 and rsqrt.approx.f64 have 20 good bits or more") {
    const auto relative = [](const std::string& opcode, double x) {
        return f64(run_instruction(opcode, "f64", {"f64"}, {{bits(x, {})}})[0]);
    };
    for (const double x : {1.0, 3.0, 1e-300, 7e200, 0.1}) {
        CHECK(std::fabs(relative("rcp.approx.ftz.f64", x) * x - 1) < 1e-6);
        CHECK(std::fabs(relative("rsqrt.approx.ftz.f64", x) * std::sqrt(x) - 1) < 1e-6);
        CHECK(std::fabs(relative("rsqrt.approx.f64", x) * std::sqrt(x) - 1) < 1e-8);
        CHECK((bits(relative("rcp.approx.ftz.f64", x), {}) & 0xffff'ffff) == 0);
    }
    CHECK(std::isinf(relative("rcp.approx.ftz.f64", 1e-310)));  // a subnormal counts as zero
    CHECK(run_instruction("rcp.approx.ftz.f64", "f64", {"f64"}, {{0x7ff8'0000'0000'0001}})[0] ==
          0x7fff'ffff'0000'0000);
}
