// Grader of lab 08: what sum_hybrid, sum_warps and sum_fast must return, for 10 points.
//
// Every sum is tested twice. First with small whole numbers, whose float sums are exact in any
// order: that shows a single element missing, doubled or foreign. Then with fractions, within the
// rounding errors of any order: that shows half precision.

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check.h"
#include "mistakes.h"
#include "protocol/parallel.h"
#include "reduction_hybrid.h"

using namespace lab;

namespace {

/// Whole numbers, none of them 0, whose sum stays below 2^24: up to there a float holds every whole
/// number, so sums are exact in any order. n is at most 2^20.
Floats whole_numbers(int n) {
    const auto numbers = random_ints(n, 1, std::min(4096, (1 << 24) / std::max(n, 1)));
    return {numbers.begin(), numbers.end()};
}

/// The exact sum (in double, whose errors are 2^29 times smaller), and that of the absolute values.
struct Sum {
    double value = 0, absolute = 0;
    int terms = 0;
};

Sum cpu_sum(const Floats& a, std::size_t begin, std::size_t end) {
    Sum sum;
    for (std::size_t i = begin; i < end; ++i) {
        sum.value += a[i];
        sum.absolute += std::abs(a[i]);
    }
    sum.terms = static_cast<int>(end - begin);
    return sum;
}

Sum cpu_sum(const Floats& a) {
    Sum sum;
    std::mutex one_at_a_time;
    for_each_range(a.size(), [&](std::size_t begin, std::size_t end) {
        const Sum part = cpu_sum(a, begin, end);
        const std::lock_guard lock(one_at_a_time);
        sum = {sum.value + part.value, sum.absolute + part.absolute, sum.terms + part.terms};
    });
    return sum;
}

/// How far a float sum may be from the exact one, whatever the order of adding. Each of the terms -
/// 1 additions, and our own conversion to float, rounds a result of at most `absolute` by at most
/// 2^-24 of it. All in the same direction, that makes `terms` such errors; up and down at random,
/// as many as sqrt(terms) times a small factor: up to 0.75 in 200 running sums of such fractions
/// for each of nine n from 2 to 10^5. Chance never reaches 4, and truncation to half precision
/// exceeds it up to n = 10^5.
double rounding(const Sum& sum) {
    const double unit = std::ldexp(1.0, -24), terms = sum.terms;
    return unit * sum.absolute * std::min(terms, 4 * std::sqrt(terms));
}

template <class Call>
void check_launched(const Call& call, int n) {
    if (!on_vgpu()) return;  // a GPU reports no launches
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the sum must be computed on the device");
    CHECK(executed_for_each(call.launches(), n));
}

/// A sum of whole numbers: exact in any order.
template <auto* Function>
Floats check_whole(int n) {
    const Floats whole = whole_numbers(n);
    const auto exact = submission().call<Function>(whole, out, n);
    const Floats expected{static_cast<float>(cpu_sum(whole).value)};
    CHECK_THAT(exact.output(),
               equals(expected)
                   .or_looks_like(mistakes_of_sums(whole))
                   .or_diagnose([&](const Evidence& e) { return mistakes_within_blocks(e, whole); })
                   .or_diagnose(sum_mistakes(whole)));
    if (n > 1) check_launched(exact, n);  // a copy is enough for one
    return expected;
}

/// The same, then one of fractions.
template <auto* Function>
void check_sum(int n) {
    const Floats before = check_whole<Function>(n);
    const Floats fractions = random_floats(n, -0.5F, 1.0F);
    const auto rounded = submission().call<Function>(fractions, out, n);
    const Sum sum = cpu_sum(fractions);
    CHECK_THAT(
        rounded.output(),
        close_to(Floats{static_cast<float>(sum.value)}, [&](std::size_t) { return rounding(sum); })
            .or_looks_like(before,
                           "This is the sum of the vector of the call before, which was as "
                           "long: something is kept from call to call (a static or "
                           "__device__ variable), and used again.")
            .or_diagnose(sum_mistakes(fractions)));
}

void check_warps(int n) {
    const Floats whole = whole_numbers(n);
    const auto exact = submission().call<sum_warps>(whole, out, n);
    CHECK_THAT(
        exact.output(),
        equals(all_lanes(whole))
            .or_looks_like(mistakes_of_warps(whole))
            .or_diagnose([&](const Evidence& e) { return stored_by_lane_31(e, whole); })
            .or_diagnose([&](const Evidence& e) { return garbage_from_absent_lanes(e, whole); })
            .or_diagnose(too_few_warps)
            .or_diagnose(indexing_mistakes));
    if (n > 1) check_launched(exact, n);

    const Floats fractions = random_floats(n, -0.5F, 1.0F);
    const auto rounded = submission().call<sum_warps>(fractions, out, n);
    CHECK_THAT(
        rounded.output(),
        close_to(all_lanes(fractions),
                 [&](std::size_t w) {
                     const std::size_t begin = w * kWarp;
                     return rounding(
                         cpu_sum(fractions, begin, std::min(begin + kWarp, fractions.size())));
                 })
            .or_looks_like(shuffled_as_ints(fractions),
                           "Whole numbers are added up right, fractions are not: the values become "
                           "ints on their way from lane to lane."));
}

// On a GPU 400 MB: over six times the L2 of an H200, and about 0.13 ms there for sum_fast.
constexpr int kGpuElements = 100'000'003;

template <auto* Function>
SpeedTest time_sums() {
    return time_against_reference<Function>(
        {.gpu = kGpuElements, .vgpu = (1 << 21) + 3},
        [](int n) { return std::tuple(random_floats(n, -0.5F, 1.0F), out, n); },
        [](const Floats& a, auto...) {
            const Sum sum = cpu_sum(a);
            const double tolerance = rounding(sum);
            return close_to(Floats{static_cast<float>(sum.value)},
                            [tolerance](std::size_t) { return tolerance; });
        });
}

}  // namespace

TEST_CASE("sum_hybrid: one block is enough", "[correctness][task:1][points:1]") {
    const int n = GENERATE(256, 100, 255, 129, 128, 127, 33, 32, 31, 2, 1);
    check_sum<sum_hybrid>(n);
}

TEST_CASE("sum_hybrid: any number of elements", "[correctness][task:1][points:2][id:hybrid]") {
    const int n = GENERATE(1000, 257, 512, 511, 256, 1023, 1024, 1025, 33, 1, 30'031, 300'007,
                           random_int(1'100, 100'000));
    twice([&] { check_sum<sum_hybrid>(n); });
}

TEST_CASE("sum_hybrid: the sum of nothing is 0", "[robustness][task:1][points:1][needs:hybrid]") {
    check_sum<sum_hybrid>(0);  // the call fails the test if it leaves a CUDA error behind
}

TEST_CASE("sum_hybrid: at least 0.3x the reference", "[speed][task:1][points:1][needs:hybrid]") {
    const auto speed = time_sums<sum_hybrid>();
    CHECK_THAT(speed, at_least(0.3));
}

TEST_CASE("sum_warps: every warp has its sum", "[correctness][task:2][points:2]") {
    const int n = GENERATE(1000, 31, 33, 64, 32, 1, 2, 16, 17, 255, 256, 257, 1024, 1025, 30'031, 0,
                           random_int(1'100, 100'000));
    twice([&] { check_warps(n); });
}

TEST_CASE("sum_fast: any number of elements", "[correctness][task:3][points:1][id:fast]") {
    // In the longest, n times the 256 threads of a block is more than an int holds.
    static constexpr int kLong = (1 << 23) + 1;
    const int n = GENERATE(1203, 257, 256, 255, 100, 1024, 1025, 33, 32, 31, 2, 1, 0, 30'031,
                           300'007, random_int(100'000, 1'000'000), kLong);
    if (n == kLong) {
        check_whole<sum_fast>(n);
    } else {
        twice([&] { check_sum<sum_fast>(n); });
    }
}

TEST_CASE("sum_fast: at least 0.45x the reference", "[speed][task:4][points:2][needs:fast]") {
    const auto speed = time_sums<sum_fast>();
    CHECK_THAT(speed, at_least(0.45));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 08) and benchmarks (./lab bench 08), drawn by the scripts of the same
// names in figures/.

namespace {

constexpr int kUnknown = -1;

/// How often each element is in the sum. Six elements at a time are powers of 16, all others 0, so
/// each of them has its own digit of the sum.
template <auto* Function>
std::vector<int> times_counted(int n) {
    constexpr int kDigits = 6, kBase = 16, kEnd = 1 << 24;
    std::vector<int> times;
    for (int begin = 0; begin < n; begin += kDigits) {
        Floats a(static_cast<std::size_t>(n));
        const int end = std::min(begin + kDigits, n);
        for (int i = begin, weight = 1; i < end; ++i, weight *= kBase) {
            a[static_cast<std::size_t>(i)] = static_cast<float>(weight);
        }
        const float sum = submission().call<Function>(a, out, n).output()[0];
        const bool has_digits = sum >= 0 && sum < kEnd && std::floor(sum) == sum;
        int rest = has_digits ? static_cast<int>(sum) : 0;
        for (int i = begin; i < end; ++i, rest /= kBase) {
            times.push_back(has_digits ? rest % kBase : kUnknown);
        }
    }
    return times;
}

template <auto* Function>
void draw_counted(const std::string& name) {
    Table table(name, {"row", "lane", "times"});
    const std::vector<int> times = times_counted<Function>(600);
    for (int i = 0; i < static_cast<int>(times.size()); ++i) {
        table.row(i / kWarp, i % kWarp, times[static_cast<std::size_t>(i)]);
    }
}

double gb_per_s(int n, double time_ms) {
    return 4e-6 * n / time_ms;
}

}  // namespace

TEST_CASE("picture: sum_hybrid", "[.][picture]") {
    draw_counted<sum_hybrid>("sum_hybrid");
}

TEST_CASE("picture: sum_fast", "[.][picture]") {
    draw_counted<sum_fast>("sum_fast");
}

TEST_CASE("bench: rungs", "[.][bench]") {
    check_sum<sum_hybrid>(1000);  // reports a wrong program before timing it
    check_sum<sum_fast>(1000);
    const int n = speed_size(kGpuElements, 1 << 22);
    const Floats a = random_floats(n, -0.5F, 1.0F);
    Table table("rungs", {"rung", "version", "time_ms", "gb_per_s"});
    const auto row = [&](const std::string& rung, const std::string& version, double time_ms) {
        table.row(rung, version, time_ms, gb_per_s(n, time_ms));
    };
    for (const Version& version : versions()) {
        const std::string& name = version.name();
        const bool has_tree = name == "student" || name == "reference";
        if (has_tree) row("sum_hybrid", name, time_ms<sum_hybrid>(version, a, out, n));
        row("sum_fast", name, time_ms<sum_fast>(version, a, out, n));
    }
    for (const Version& version : other_versions()) {
        row("sum_fast", version.name(), time_ms<sum_fast>(version, a, out, n));
    }
}

TEST_CASE("bench: bandwidth", "[.][bench]") {
    check_sum<sum_fast>(1000);
    Table table("bandwidth", {"n", "version", "time_ms", "gb_per_s"});
    for (int n = 1 << 10; n <= speed_size(1 << 26, 1 << 22); n *= 4) {
        const Floats a = random_floats(n, -0.5F, 1.0F);
        for (const Version& version : versions()) {
            const double ms = time_ms<sum_fast>(version, a, out, n);
            table.row(n, version.name(), ms, gb_per_s(n, ms));
        }
    }
}
