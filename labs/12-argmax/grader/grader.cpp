// Grader of lab 12: what launch_argmax must do, for 10 points.
//
// Doubling a float is exact, so results are compared to the last bit. Only the first failure is
// explained, so each test begins with a size that tells mistakes apart.

#include <algorithm>
#include <vector>

#include "argmax.h"
#include "check/check.h"

using namespace lab;

namespace {

/// The answer, in plain code that need not be fast.
std::vector<float> cpu_double(const std::vector<float>& a) {
    std::vector<float> b(a.size());
    std::ranges::transform(a, b.begin(), [](float x) { return 2 * x; });
    return b;
}

void check_double(int n) {
    const auto a = random_floats(n);
    const auto call = submission().call<launch_argmax>(a, out, n);
    CHECK_THAT(call.output(), equals(cpu_double(a)).or_diagnose(indexing_mistakes));
}

}  // namespace

TEST_CASE("launch_argmax: every element is right", "[correctness][task:1][points:6][id:right]") {
    const int n = GENERATE(1000, 1, 31, 32, 33, 255, 256, 257, 30'031, random_int(1'100, 100'000));
    twice([&] { check_double(n); });
}

TEST_CASE("launch_argmax: no elements, no launch error",
          "[robustness][task:2][points:2][needs:right]") {
    check_double(0);  // the call fails the test if it leaves a CUDA error behind
}

TEST_CASE("launch_argmax: at least 0.45x the reference", "[speed][task:2][points:2][needs:right]") {
    const auto speed = time_against_reference<launch_argmax>(
        {.gpu = (1 << 26) + 3, .vgpu = (1 << 20) + 3},
        [](int n) { return std::tuple(random_floats(n), out, n); },
        [](const auto& a, auto...) { return equals(cpu_double(a)); });
    CHECK_THAT(speed, at_least(0.45));
}

// ---------------------------------------------------------------------------
// Pictures and benchmarks, drawn by the scripts of the same names in figures/.

TEST_CASE("picture: elements", "[.][picture]") {
    const int n = 300;
    const auto a = random_floats(n);
    const auto b = submission().call<launch_argmax>(a, out, n).output();
    const auto expected = cpu_double(a);
    Table table("elements", {"i", "student", "expected"});
    for (std::size_t i = 0; i < b.size(); ++i) table.row(i, b[i], expected[i]);
}

TEST_CASE("bench: bandwidth", "[.][bench]") {
    check_double(1000);  // reports a wrong program before timing it
    Table table("bandwidth", {"n", "version", "time_ms", "gb_per_s"});
    for (int n = 1 << 12; n <= speed_size(1 << 26, 1 << 20); n *= 4) {
        const auto a = random_floats(n);
        for (const Version& version : versions()) {
            const double ms = time_ms<launch_argmax>(version, a, out, n);
            table.row(n, version.name(), ms, 2 * sizeof(float) * 1e-6 * n / ms);
        }
    }
}
