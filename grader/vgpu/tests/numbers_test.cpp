// Mathematical functions that nvcc writes out in arithmetic: against the host's in more precision,
// within the largest errors of the CUDA programming guide.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

using Long = long double;

struct Case {
    std::string name;
    double from = 0, to = 0;  // where it is tried
    int float_ulp = 0, double_ulp = 0;
    std::function<Long(Long, Long)> exact;
};

Long one(Long (*f)(Long), Long x) {
    return f(x);
}
#define ONE(f) [](Long x, Long) { return one(std::f, x); }
const std::vector<Case> kCases{
    {"sin", -20, 20, 2, 2, ONE(sin)},
    {"cos", -20, 20, 2, 2, ONE(cos)},
    {"tan", -20, 20, 4, 2, ONE(tan)},
    {"exp", -80, 80, 1, 1, ONE(exp)},
    {"exp2", -120, 120, 2, 1, ONE(exp2)},
    {"exp10", -30, 30, 2, 1, [](Long x, Long) { return std::pow(Long(10), x); }},
    {"expm1", -5, 5, 1, 1, ONE(expm1)},
    {"log", 0.01, 1e6, 1, 1, ONE(log)},
    {"log2", 0.01, 1e6, 1, 1, ONE(log2)},
    {"log10", 0.01, 1e6, 2, 1, ONE(log10)},
    {"log1p", -0.9, 10, 1, 1, ONE(log1p)},
    {"sqrt", 0, 1e9, 0, 0, ONE(sqrt)},
    {"rsqrt", 1e-3, 1e9, 2, 1, [](Long x, Long) { return 1 / std::sqrt(x); }},
    {"cbrt", -100, 100, 1, 1, ONE(cbrt)},
    {"asin", -1, 1, 2, 2, ONE(asin)},
    {"acos", -1, 1, 2, 2, ONE(acos)},
    {"atan", -50, 50, 2, 2, ONE(atan)},
    {"sinh", -20, 20, 3, 2, ONE(sinh)},
    {"cosh", -20, 20, 2, 1, ONE(cosh)},
    {"tanh", -8, 8, 2, 1, ONE(tanh)},
    {"asinh", -100, 100, 3, 3, ONE(asinh)},
    {"acosh", 1, 100, 4, 3, ONE(acosh)},
    {"atanh", -0.99, 0.99, 3, 2, ONE(atanh)},
    {"erf", -4, 4, 2, 2, ONE(erf)},
    {"erfc", -4, 8, 4, 5, ONE(erfc)},
    {"lgamma", 3, 60, 6, 4, ONE(lgamma)},
    {"tgamma", 0.5, 30, 5, 10, ONE(tgamma)},
    {"pow", 0.1, 12, 4, 2, [](Long x, Long y) { return std::pow(x, y); }},
    {"atan2", -9, 9, 3, 2, [](Long x, Long y) { return std::atan2(x, y); }},
    {"hypot", -9, 9, 3, 2, [](Long x, Long y) { return std::hypot(x, y); }},
    {"fmod", 0.5, 900, 0, 0, [](Long x, Long y) { return std::fmod(x, y); }},
};

template <class T>
std::vector<T> spread(double from, double to, int n) {
    std::vector<T> values;
    for (int i = 0; i < n; ++i)  // not evenly, so that x and its partner have no simple ratio
        values.push_back(static_cast<T>(from + (to - from) * (i * 389 % n) / (n - 1.0)));
    return values;
}

/// |got - exact| in units of the last place of a T that is as large as `exact`.
template <class T>
double error_ulp(T got, Long exact) {
    const auto size = static_cast<T>(std::fabs(exact));
    const Long ulp = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
    return static_cast<double>(std::fabs(got - exact) / ulp);
}

template <class T>
void check_function(Program& program, const Case& c, const std::string& type, int limit) {
    constexpr int kCount = 512;
    const auto in = spread<T>(c.from, c.to, kCount);
    const auto out = program.empty<T>(kCount);
    const auto result =
        program.launch(c.name + "_" + type, {2}, {256}, program.array(in).at, out.at, kCount);
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    const auto got = program.read(out);
    double worst = 0, at = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
        const double error = error_ulp(got[i], c.exact(in[i], in[kCount - 1 - i]));
        if (!(error <= worst)) worst = error, at = static_cast<double>(in[i]);
    }
    INFO(c.name << " of " << type << ": " << worst << " ulp at " << at);
    CHECK(worst <= limit + 0.5);  // the guide counts from the correctly rounded result
}

/// A half's number. `fraction`: 10 bits of f16, 7 of bf16.
double number(std::uint16_t bits, int fraction) {
    if (fraction == 7) return std::bit_cast<float>(std::uint32_t{bits} << 16);
    const int exponent = bits >> 10 & 31, rest = bits & 1023;
    const double size =
        exponent == 0 ? std::ldexp(rest, -24) : std::ldexp(rest + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

}  // namespace

TEST_CASE("numbers: mathematical functions within CUDA's errors") {
    for (const std::string variant : {"O3", "sm90"}) {
        Program program(ptx_of("numbers", variant));
        for (const Case& c : kCases) {
            check_function<float>(program, c, "float", c.float_ulp);
            check_function<double>(program, c, "double", c.double_ulp);
        }
    }
}

TEST_CASE("numbers: half-precision intrinsics") {
    struct HalfCase {
        std::string name;
        double ulp;
        double (*exact)(double, double);
    };
    const std::vector<HalfCase> cases{
        {"add", 0.5, [](double x, double y) { return x + y; }},
        {"mul", 0.5, [](double x, double y) { return x * y; }},
        {"div", 1.0, [](double x, double y) { return x / y; }},
        {"sqrt", 1.0, [](double x, double) { return std::sqrt(x); }},
        {"exp", 1.0, [](double x, double) { return std::exp(x); }},
        {"log", 1.0, [](double x, double) { return std::log(x); }},
        {"sin", 1.0, [](double x, double) { return std::sin(x); }},
        {"floor", 0, [](double x, double) { return std::floor(x); }},
        {"max", 0, [](double x, double y) { return std::fmax(x, y); }},
        {"choose", 0, [](double x, double y) { return x < y ? -x : std::fabs(y); }}};
    for (const std::string variant : {"O3", "sm90"})
        for (const int fraction : {10, 7}) {
            Program program(ptx_of("numbers", variant));
            std::vector<std::uint16_t> in;  // from 1/8 to 8
            const int low = fraction == 10 ? 12 << 10 : 124 << 7;
            const int high = fraction == 10 ? 18 << 10 : 130 << 7;
            for (int i = 0; i < 512; ++i)
                in.push_back(static_cast<std::uint16_t>(low + (high - low) * (i * 97 % 512) / 511));
            for (const auto& c : cases) {
                const auto out = program.empty<std::uint16_t>(512);
                const auto result =
                    program.launch(c.name + (fraction == 10 ? "_half" : "___nv_bfloat16"), {2},
                                   {256}, program.array(in).at, out.at, 512);
                for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
                const auto got = program.read(out);
                for (std::size_t i = 0; i < 512; ++i) {
                    const double exact =
                        c.exact(number(in[i], fraction), number(in[511 - i], fraction));
                    const double ulp = exact == 0 ? 0 : std::ldexp(1, std::ilogb(exact) - fraction);
                    INFO(c.name << " " << fraction << " " << number(in[i], fraction));
                    CHECK(std::fabs(number(got[i], fraction) - exact) <= c.ulp * ulp);
                }
            }
        }
}

TEST_CASE("numbers: atomics and conversions of pairs of halves") {
    Program program(ptx_of("numbers", "O3"));
    const int n = 30;
    std::vector<std::uint32_t> pairs;  // 1.0 + i / 1024 and 2.0 + i / 512
    for (std::uint32_t i = 0; i < n; ++i) pairs.push_back((0x3c00 + i) | (0x4000 + i) << 16);
    const auto sum = program.array(std::vector<std::uint32_t>{0});
    const auto dot = program.array(std::vector<float>{0});
    const auto result =
        program.launch("sums_half", {1}, {32}, program.array(pairs).at, sum.at, dot.at, n);
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    const std::uint32_t bits = program.read(sum)[0];
    const double lo = n + n * (n - 1) / 2 / 1024.0;
    CHECK(std::fabs(number(static_cast<std::uint16_t>(bits), 10) - lo) < 0.25);
    CHECK(std::fabs(number(static_cast<std::uint16_t>(bits >> 16), 10) - 2 * lo) < 0.5);
    double expected = 0;
    for (int i = 0; i < n; ++i) expected += 2 * (1 + i / 1024.0) * (2 + 2 * (n - 1 - i) / 1024.0);
    CHECK(std::fabs(program.read(dot)[0] - expected) < 0.05);
}

TEST_CASE("numbers: atomic additions take subnormal numbers for zeros, in global memory only") {
    Program program(ptx_of("numbers", "O3"));
    const float small = std::ldexp(-1.0F, -130), least = std::ldexp(1.0F, -126);
    struct Sum {
        float there, added, in_global, in_shared;
    };
    for (const Sum s : {Sum{0, small, 0, small}, Sum{-0.0F, small, -0.0F, small},
                        Sum{least, small, least, least + small}, Sum{small, 1, 1, 1},
                        Sum{least, -least / 2, least, least / 2}, Sum{1, 2, 3, 3}}) {
        const auto global = program.array(std::vector<float>{s.there});
        const auto shared = program.array(std::vector<float>{0});
        program.launch("add_subnormals", {1}, {1}, global.at, shared.at, s.added);
        const float got = program.read(global)[0];
        CHECK(got == s.in_global);
        CHECK(std::signbit(got) == std::signbit(s.in_global));
        CHECK(program.read(shared)[0] == s.in_shared);
    }
}
