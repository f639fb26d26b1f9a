// Grader of lab 00: what double_all must do, for 2 points.
//
// Doubling a float is exact, so results are compared to the last bit. The first size has several
// blocks and an incomplete last one: there the mistake that is handed out shows its face.

#include <algorithm>
#include <vector>

#include "check/check.h"
#include "welcome.h"

using namespace lab;

namespace {

std::vector<float> cpu_double(const std::vector<float>& a) {
    std::vector<float> b(a.size());
    std::ranges::transform(a, b.begin(), [](float x) { return 2 * x; });
    return b;
}

}  // namespace

TEST_CASE("double_all: every element is right", "[correctness][task:1][points:2]") {
    const int n = GENERATE(1000, 1, 255, 256, 257, 30'031, random_int(1'100, 100'000), 0);
    const auto a = random_floats(n);
    const auto call = submission().call<double_all>(a, out, n);
    CHECK_THAT(call.output(), equals(cpu_double(a)).or_diagnose(indexing_mistakes));
}

// ---------------------------------------------------------------------------
// A picture (./lab picture 00) and a benchmark (./lab bench 00), drawn by the scripts of the same
// names in figures/.

TEST_CASE("picture: elements", "[.][picture]") {
    constexpr int n = 1000;
    std::vector<float> a(n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
    const auto b = submission().call<double_all>(a, out, n).output();
    Table table("elements", {"i", "student", "expected"});
    for (std::size_t i = 0; i < b.size(); ++i) table.row(i, b[i], 2 * a[i]);
}

TEST_CASE("bench: bandwidth", "[.][bench]") {
    Table table("bandwidth", {"n", "version", "time_ms", "gb_per_s"});
    for (int n = 1 << 10; n <= speed_size(1 << 26, 1 << 20); n *= 4) {
        const auto a = random_floats(n);
        for (const Version& version : versions()) {
            const double ms = time_ms<double_all>(version, a, out, n);
            table.row(n, version.name(), ms, 2 * sizeof(float) * 1e-6 * n / ms);
        }
    }
}
