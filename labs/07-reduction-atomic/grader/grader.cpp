// Grader of lab 07: what reductions with atomic operations must compute, for 10 points.
//
// Sums of ints, minima, maxima and counts are exact. A float sum is added in an unknown order. Its
// partial sums are those of random numbers from -1 to 1: below 6 standard deviations, 6 * sqrt(n /
// 3), whatever the order. Each addition rounds that by at most 2^-24 of it, and the n errors have
// random signs: again 6 * sqrt(n) of them. Together 21 * n * 2^-24.
//
// Only the first failure is explained, so each test begins with a size that tells mistakes apart.

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "mistakes.h"
#include "protocol/parallel.h"
#include "reduction_atomic.h"

using namespace lab;

namespace {

double sum_bound(const std::vector<float>& a) {
    return std::ldexp(21.0 * static_cast<double>(a.size()), -24);
}

auto close_to_sum(const std::vector<float>& a) {
    const double sum = std::accumulate(a.begin(), a.end(), 0.0);
    return close_to(std::vector{static_cast<float>(sum)},
                    [bound = sum_bound(a)](std::size_t) { return bound; });
}

/// Checks on the virtual GPU that kernels did the work. A GPU reports no launches.
template <class Call>
void check_uses_the_device(const Call& call, int n) {
    if (!on_vgpu()) return;
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the result must be computed on the device");
    CHECK(executed_for_each(call.launches(), n));
}

/// Checks on the virtual GPU how many atomic operations reached global memory. A GPU does not count
/// them, but its time shows them.
template <class Call>
std::uint64_t global_atomics(const Call& call) {
    std::uint64_t atomics = 0;
    for (const LaunchRecord& launch : call.launches()) atomics += launch.global_atomics;
    return atomics;
}

template <auto* Function>
void check_float_sum(int n) {
    const auto a = random_floats(n);
    const auto call = submission().call<Function>(a, out, n);
    const double sum = std::accumulate(a.begin(), a.end(), 0.0);
    CHECK_THAT(call.output(), close_to_sum(a)
                                  .or_diagnose(block_added_by_all_of_its_threads(sum, sum_bound(a)))
                                  .or_diagnose(last_of_each_warp(a, sum_bound(a)))
                                  .or_diagnose(sum_mistakes(a)));
    if (n > 1) check_uses_the_device(call, n);
}

void check_range(const std::vector<int>& a) {
    IntRange range{INT_MAX, INT_MIN};
    for (const int x : a) range = {std::min(range.lowest, x), std::max(range.highest, x)};
    const auto call = submission().call<range_of_ints>(a, out, static_cast<int>(a.size()));
    CHECK_THAT(call.output(), equals(std::vector{range})
                                  .or_looks_like(mistakes_of_range(a))
                                  .or_diagnose([&](const Evidence&) {
                                      return part_of_the_range(a, call.output()[0]);
                                  })
                                  .or_diagnose(nothing_written));
    if (a.size() > 1)
        check_uses_the_device(call, static_cast<int>(a.size()));  // a copy is enough for one
}

void check_max(const std::vector<float>& a) {
    float largest = -std::numeric_limits<float>::infinity();
    for (const float x : a) largest = std::max(largest, x);
    const auto call = submission().call<max_of_floats>(a, out, static_cast<int>(a.size()));
    CHECK_THAT(call.output(),
               equals(std::vector{largest})
                   .or_looks_like(mistakes_of_max(a))
                   .or_diagnose([&](const Evidence&) { return other_element(a, call.output()[0]); })
                   .or_diagnose(nothing_written));
    if (a.size() > 1)
        check_uses_the_device(call, static_cast<int>(a.size()));  // a copy is enough for one
}

/// -0 everywhere, but 0 first and a positive number last in a warp that is not the first to come.
/// A 0 that replaces -0 is a change that a comparison of floats does not see.
void check_max_of_zeros() {
    constexpr std::size_t kN = 2560, kWarp = 32;
    std::vector<float> a(kN, -0.0F);
    for (const std::size_t warp : {kN / kWarp / 2, kN / kWarp - 1}) {
        a[warp * kWarp] = 0.0F;
        a[warp * kWarp + kWarp - 1] = warp * kWarp + kWarp == kN ? 1.5F : 0.0F;
    }
    check_max(a);
}

/// Keys below `bins`, half of them 0, a quarter from the first half of the others, and so on. Their
/// counts differ as much as counts can, and all threads compete for one place.
std::vector<int> skewed_keys(int n, int bins) {
    auto keys = random_ints(n, 0, (1 << 20) - 1);
    for_each_range(keys.size(), [&](std::size_t begin, std::size_t end) {
        for (int& key : std::span(keys).subspan(begin, end - begin)) {
            const int halvings = key % 8;
            key = key / 8 % std::max(1, bins >> halvings);
            if (halvings >= 4) key = 0;
        }
    });
    return keys;
}

/// Returns how many warp instructions were executed for each key; 0 on a GPU.
double check_histogram(const std::vector<int>& keys, int bins) {
    const auto n = static_cast<int>(keys.size());
    const auto call = submission().call<histogram>(keys, out, n, bins);
    CHECK_THAT(call.output(), equals(cpu_histogram(keys, bins))
                                  .or_looks_like(mistakes_of_histogram(keys, bins))
                                  .or_diagnose(mistakes_in_counts(keys, bins))
                                  .or_diagnose(nothing_written));
    if (n > 1) check_uses_the_device(call, n);
    double executed = 0;
    for (const LaunchRecord& launch : call.launches()) {
        executed += static_cast<double>(launch.warp_instructions);
    }
    return executed / std::max(1, n);
}

/// Keys of one kind, so many that each of a few hundred blocks counts more than 16 bits hold. Not
/// where the virtual GPU would stop a kernel that executes as much for each key.
void check_long_counts() {
    constexpr int kLong = 264 * 65'536 + 1'000'003, kShorter = 1'500'007, kBins = 5, kKey = 2;
    constexpr double kMostExecuted = 16e6;  // the limit in lab.toml is 20 million
    const auto check = [&](int n) {
        return check_histogram(std::vector<int>(static_cast<std::size_t>(n), kKey), kBins);
    };
    if (check(kShorter) * kLong < kMostExecuted) check(kLong);
}

}  // namespace

TEST_CASE("sum_of_ints: one line, and exact", "[correctness][task:1][points:1]") {
    const int n =
        GENERATE(1000, 255, 256, 257, 1, 2, 33, 0, 30'031, 300'007, random_int(1'100, 100'000));
    twice([&] {
        // Above 2^24 in all: a float would lose the last digits.
        const auto a = random_ints(n, -1'000, 5'000);
        const auto call = submission().call<sum_of_ints>(a, out, n);
        const int sum = std::accumulate(a.begin(), a.end(), 0);
        CHECK_THAT(call.output(), equals(std::vector{sum})
                                      .or_diagnose(last_of_each_warp(a, 0))
                                      .or_diagnose(sum_mistakes(a)));
        if (n > 1) check_uses_the_device(call, n);
    });
}

TEST_CASE("sum_of_floats: in any order", "[correctness][task:1][points:1]") {
    const int n = GENERATE(1000, 255, 256, 257, 1, 2, 33, 0, 30'031, random_int(1'100, 100'000));
    twice([&] { check_float_sum<sum_of_floats>(n); });
}

TEST_CASE("range_of_ints: the lowest and the highest", "[correctness][task:2][points:2]") {
    const auto [n, low, high] = GENERATE(
        table<int, int, int>({{1000, -1'000'000, 1'000'000},
                              {1000, 5, 90'000},
                              {1000, -90'000, -5},
                              {300, 1'900'000'000, 2'100'000'000},
                              {1000, -123'456'789, 987'654'321},
                              {1, 7, 70},
                              {1, -70, -7},
                              {2, -10, 10},
                              {255, 1, 1'000'000},
                              {256, -1'000'000, -1},
                              {257, 1, 1'000'000},
                              {0, 0, 0},
                              {30'031, INT_MIN, INT_MAX},
                              {random_int(1'100, 100'000), -2'000'000'000, -1'000'000'000}}));
    twice([&] {
        auto a = random_ints(n, low, high);
        if (n > 1) {  // at the very ends, where a bound that is off by one loses them
            a.front() = low;
            a.back() = high;
            if (random_int(0, 1) == 1) std::swap(a.front(), a.back());
        }
        check_range(a);
    });
}

TEST_CASE("max_of_floats: built from compare and swap", "[correctness][task:3][points:2]") {
    struct Numbers {
        int n;
        float low, high, largest;
    };
    const auto [n, low, high, largest] = GENERATE_COPY(values<Numbers>({
        {1000, -1, 1, 2},
        {1000, -3, -1, -0.5},
        {1000, 1e-30F, 1e-20F, 1},
        {1, -2, -1, -0.5},
        {1, 1, 2, 3},
        {2, -1, 1, 1.5},
        {255, -1e30F, -1e20F, -1},
        {300, -3e38F, -2e38F, -1.5e38F},
        {256, 0.5, 1, 2},
        {257, -3, -1, -0.25},
        {0, 0, 1, 1},
        {10'007, -1, 1, 1.25},
        {random_int(1'100, 5'000), -1e10F, -1, -0.75},
        {300, -1, 1, -std::numeric_limits<float>::infinity()},
    }));
    if (n == 0) twice(check_max_of_zeros);
    twice([&] {
        auto a = random_floats(n, low, high);
        if (std::isinf(largest)) std::ranges::fill(a, largest);  // then it is that of all numbers
        if (n > 1) (random_int(0, 1) == 1 ? a.front() : a.back()) = largest;
        // Rising, so that each number replaces the one before: the most collisions possible.
        if (n <= 1000 && random_int(0, 1) == 1) std::ranges::sort(a);
        check_max(a);
    });
}

TEST_CASE("block_first_sum: shared memory first", "[correctness][task:4][points:1][id:block]") {
    const int n =
        GENERATE(1003, 255, 256, 257, 1, 2, 33, 0, 30'031, 300'007, random_int(1'100, 100'000));
    twice([&] { check_float_sum<block_first_sum>(n); });
}

TEST_CASE("histogram: many totals", "[correctness][task:5][points:1][id:histogram]") {
    static constexpr int kManyKeys = 300'007;
    const auto [n, bins] = GENERATE(table<int, int>({{1000, 100},
                                                     {1000, 1},
                                                     {1000, 1024},
                                                     {5000, 257},
                                                     {255, 256},
                                                     {257, 3},
                                                     {1, 1},
                                                     {1, 777},
                                                     {0, 50},
                                                     {30'031, 1000},
                                                     {kManyKeys, 64},
                                                     {70'001, 300},  // more blocks than threads
                                                     {random_int(1'100, 100'000), 31},
                                                     {10'007, random_int(2, 1'024)}}));
    twice([&] { check_histogram(skewed_keys(n, bins), bins); });
    if (n == kManyKeys) check_long_counts();
}

// On a GPU 268 MB: over four times the L2 of an H200. Both sizes are beyond all others of sums.
constexpr SpeedSizes kSpeedSizes{.gpu = (1 << 26) + 3, .vgpu = (1 << 21) + 3};
constexpr int kSpeedBins = 64;

TEST_CASE("block_first_sum: at least 0.1x the reference",
          "[speed][task:4][points:1][needs:block]") {
    const auto speed = time_against_reference<block_first_sum>(
        kSpeedSizes, [](int n) { return std::tuple(random_floats(n), out, n); },
        [](const auto& a, auto...) { return close_to_sum(a); });
    CHECK_THAT(speed, at_least(0.1));
    if (on_vgpu()) {
        const int n = (1 << 19) + 50'021;
        const auto atomics =
            global_atomics(submission().call<block_first_sum>(random_floats(n), out, n));
        INFO(atomics << " atomic operations reached global memory for " << n
                     << " elements: each block may add to the total only once");
        CHECK(atomics <= static_cast<std::uint64_t>(n) / 32 + 1);  // one a warp would do
    }
}

TEST_CASE("histogram: at least 0.1x the reference", "[speed][task:5][points:1][needs:histogram]") {
    const auto speed = time_against_reference<histogram>(
        kSpeedSizes,
        [](int n) { return std::tuple(skewed_keys(n, kSpeedBins), out, n, kSpeedBins); },
        [](const auto& keys, auto...) { return equals(cpu_histogram(keys, kSpeedBins)); });
    CHECK_THAT(speed, at_least(0.1));
    if (on_vgpu()) {
        const int n = (1 << 19) + 50'021;
        const auto atomics = global_atomics(
            submission().call<histogram>(skewed_keys(n, kSpeedBins), out, n, kSpeedBins));
        INFO(atomics << " atomic operations reached global memory for " << n
                     << " keys: each block may add each of its counts only once");
        // Blocks of 256 keys with 64 counters each, the shortest that make sense, need n / 4.
        CHECK(atomics <= static_cast<std::uint64_t>(n) / 2);
    }
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 07) and benchmarks (./lab bench 07), drawn by the scripts of the same
// names in figures/.

TEST_CASE("picture: histogram", "[.][picture]") {
    const int n = 2000, bins = 24;
    const auto keys = skewed_keys(n, bins);
    const auto expected = cpu_histogram(keys, bins);
    const auto counts = submission().call<histogram>(keys, out, n, bins).output();
    Table table("histogram", {"bin", "student", "expected"});
    for (std::size_t bin = 0; bin < expected.size(); ++bin) {
        table.row(bin, counts.untouched(bin) ? std::nan("") : counts[bin], expected[bin]);
    }
}

TEST_CASE("picture: rounding", "[.][picture]") {
    Table table("rounding", {"n", "one_each", "block_first", "growing"});
    for (int n = 1 << 8; n <= 1 << 18; n *= 2) {
        const auto a = random_floats(n, 0.1F, 0.1001F);
        const double exact = std::accumulate(a.begin(), a.end(), 0.0);
        const auto error = [&](float sum) {
            return std::abs(static_cast<double>(sum) - exact) / exact;
        };
        table.row(n, error(submission().call<sum_of_floats>(a, out, n).output()[0]),
                  error(submission().call<block_first_sum>(a, out, n).output()[0]),
                  error(std::accumulate(a.begin(), a.end(), 0.0F)));
    }
}

TEST_CASE("bench: sizes", "[.][bench]") {
    check_float_sum<sum_of_floats>(1000);  // reports a wrong program before timing it
    check_float_sum<block_first_sum>(1000);
    const int largest = speed_size(1 << 22, 1 << 18);
    const auto a = random_floats(largest);
    Table table("sizes", {"n", "version", "time_us"});
    for (int n = 1; n <= largest; n *= 2) {
        const std::span<const float> first(a.data(), static_cast<std::size_t>(n));
        const Version student = versions().front();
        table.row(n, "one atomic each", 1000 * time_ms<sum_of_floats>(student, first, out, n));
        table.row(n, "shared first", 1000 * time_ms<block_first_sum>(student, first, out, n));
        for (const Version& tree : other_versions()) {
            table.row(n, tree.name(), 1000 * time_ms<block_first_sum>(tree, first, out, n));
        }
    }
}

TEST_CASE("bench: contention", "[.][bench]") {
    check_histogram(skewed_keys(1000, 100), 100);
    const int n = speed_size(1 << 24, 1 << 18);
    Table table("contention", {"bins", "version", "time_ms"});
    for (int bins = 1; bins <= 1024; bins *= 2) {
        const auto keys = random_ints(n, 0, bins - 1);
        for (const Version& version : versions()) {
            table.row(bins, version.name(), time_ms<histogram>(version, keys, out, n, bins));
        }
    }
}
