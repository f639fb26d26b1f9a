// Grader of lab 08: what sum_hybrid, sum_warps and sum_fast must return, for 10 points.
//
// Every sum is asked for twice. Of small whole numbers, whose float sums are exact in any order:
// one element that is missing, doubled or foreign shows. Then of fractions, within the rounding
// errors that an order of adding may have: a program that calculates in half precision shows.

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check.h"
#include "protocol/parallel.h"
#include "reduction_hybrid.h"

using namespace lab;

namespace {

using Floats = std::vector<float>;
constexpr int kWarp = 32;

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
/// for each of nine n from 2 to 10^5. 4 is never met by chance, and truncation to half precision is
/// outside up to n = 10^5.
double rounding(const Sum& sum) {
    const double unit = std::ldexp(1.0, -24), terms = sum.terms;
    return unit * sum.absolute * std::min(terms, 4 * std::sqrt(terms));
}

/// The sum of the elements that a wrong program gets to see.
template <class Counts>
float sum_where(const Floats& a, Counts counts) {
    double sum = 0;
    for (int i = 0; i < static_cast<int>(a.size()); ++i) {
        if (counts(i)) sum += a[static_cast<std::size_t>(i)];
    }
    return static_cast<float>(sum);
}

/// Mistakes within blocks of a size that is the student's choice: the launch tells, or all usual
/// ones are tried.
std::optional<std::string> mistakes_within_blocks(const Evidence& e, const Floats& a) {
    const int n = static_cast<int>(a.size());
    std::vector<int> sizes{256, 128, 512, 1024, 64};
    if (e.launches_known) sizes.clear();
    for (const LaunchRecord& launch : e.launches) {
        if (launch.threads_per_block() > kWarp) {
            sizes.push_back(static_cast<int>(launch.threads_per_block()));
        }
    }
    const auto is_sum_where = [&](auto counts) {
        int missing = 0;
        for (int i = 0; i < n; ++i) missing += counts(i) ? 0 : 1;
        // A few that are missing are a matter of the end, not of every block.
        return missing >= std::max(2, n / 32) &&
               e.got(0) == static_cast<double>(sum_where(a, counts));
    };
    const float all = sum_where(a, [](int) { return true; });
    const auto twice_where = [&](auto counts) {
        const float again = sum_where(a, counts);
        return n >= kWarp && e.got(0) == static_cast<double>(all) + static_cast<double>(again);
    };
    if (twice_where([](int i) { return i % kWarp == 0; })) {
        return "The first value of each warp is in the sum twice: lane 0 adds its own once more. "
               "What the shuffles, or the tree, gave it has that already.";
    }
    for (const int block : sizes) {
        if (twice_where([=](int i) { return i % block == 0; })) {
            return "The first value of each block is in the sum twice: thread 0 adds its own once "
                   "more. The block's sum has that already.";
        }
        if (twice_where([=](int i) { return i % block < kWarp; })) {
            return "The first warp of each block is in the sum twice: it is part of the block's "
                   "sum, and was added once more.";
        }
        if (twice_where([=](int i) { return i % block >= kWarp; })) {
            return "All warps of a block but the first are in the sum twice: once in the block's "
                   "sum, and once added by themselves.";
        }
        if (is_sum_where([=](int i) { return i % block == 0; })) {
            return "Only the first element of each block is in the sum: the values of the other "
                   "threads were not added to it, or their index is wrong.";
        }
        if (is_sum_where([=](int i) { return i % block < kWarp; })) {
            return "Only the first warp of each block is in the sum: the sums of the others must "
                   "be collected through shared memory.";
        }
        if (is_sum_where([=](int i) { return i % block < block / 2; })) {
            return "Only the first half of each block is in the sum: the tree must begin with a "
                   "distance of half a block.";
        }
        if (is_sum_where([=](int i) { return i % block < block - kWarp; })) {
            return "The last warp of each block is missing from the sum.";
        }
        const int blocks = (n + block - 1) / block;
        const float first = sum_where(a, [=](int i) { return i < block; });
        if (blocks > 1 && e.got(0) == static_cast<double>(blocks) * static_cast<double>(first)) {
            return "Every block added the same elements, the first ones: blockIdx is missing from "
                   "the index.";
        }
    }
    return std::nullopt;
}

/// What `matcher` is to recognise beside the mistakes of all sums: those within warps and blocks.
template <class Matcher>
Matcher with_diagnoses(Matcher matcher, const Floats& a) {
    const auto add = [&](auto counts, const char* sentence) {
        std::move(matcher).or_looks_like({sum_where(a, counts)}, sentence);  // adds in place
    };
    add([](int i) { return i % 2 == 0; },
        "Only every second element is in the sum: the last step of the tree, or of the shuffles, "
        "is "
        "missing. The distance must go down to 1.");
    add([](int i) { return i % kWarp < kWarp / 2; },
        "Only the lower 16 lanes of each warp are in the sum: the shuffles must begin with a "
        "distance "
        "of 16.");
    add([](int i) { return i % kWarp == 0; },
        "Only lane 0 of each warp is in the sum: the values of the other 31 were not added to it.");
    std::move(matcher).or_diagnose([&](const Evidence& e) { return mistakes_within_blocks(e, a); });
    return std::move(matcher).or_diagnose(sum_mistakes(a));
}

template <class Call>
void check_launched(const Call& call, int n) {
    if (!on_vgpu()) return;  // a GPU does not tell
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the sum must be computed on the device");
    CHECK(executed_for_each(call.launches(), n));
}

/// A sum of whole numbers, then one of fractions.
template <auto* Function>
void check_sum(int n) {
    const Floats whole = whole_numbers(n);
    const auto exact = submission().call<Function>(whole, out, n);
    const Floats expected{static_cast<float>(cpu_sum(whole).value)};
    CHECK_THAT(exact.output(), with_diagnoses(equals(expected), whole));
    if (n > 1) check_launched(exact, n);  // a copy is enough for one

    const Floats fractions = random_floats(n, -0.5F, 1.0F);
    const auto rounded = submission().call<Function>(fractions, out, n);
    const Sum sum = cpu_sum(fractions);
    CHECK_THAT(
        rounded.output(),
        close_to(Floats{static_cast<float>(sum.value)}, [&](std::size_t) { return rounding(sum); })
            .or_looks_like(expected,
                           "This is the sum of the vector of the call before, which was as "
                           "long: something is kept from call to call (a static or "
                           "__device__ variable), and used again.")
            .or_diagnose(sum_mistakes(fractions)));
}

/// One sum for each 32 elements, of those lanes that count.
template <class Counts>
Floats warp_sums(const Floats& a, Counts counts) {
    Floats sums((a.size() + kWarp - 1) / kWarp);
    for (std::size_t w = 0; w < sums.size(); ++w) {
        double sum = 0;
        for (std::size_t lane = 0; lane < kWarp && w * kWarp + lane < a.size(); ++lane) {
            if (counts(lane)) sum += a[w * kWarp + lane];
        }
        sums[w] = static_cast<float>(sum);
    }
    return sums;
}

Floats all_lanes(const Floats& a) {
    return warp_sums(a, [](auto) { return true; });
}

Floats scaled(Floats values, float factor) {
    for (float& value : values) value *= factor;
    return values;
}

Floats lane_0_twice(const Floats& a) {
    Floats sums = all_lanes(a);
    for (std::size_t w = 0; w < sums.size(); ++w) sums[w] += a[w * kWarp];
    return sums;
}

/// What becomes of lane 0 when the values that lanes get from each other are ints.
Floats shuffled_as_ints(const Floats& a) {
    Floats sums((a.size() + kWarp - 1) / kWarp);
    for (std::size_t w = 0; w < sums.size(); ++w) {
        std::vector<float> lanes(2 * kWarp, 0);
        for (std::size_t lane = 0; lane < kWarp && w * kWarp + lane < a.size(); ++lane) {
            lanes[lane] = a[w * kWarp + lane];
        }
        for (std::size_t distance = kWarp / 2; distance > 0; distance /= 2) {
            for (std::size_t lane = 0; lane < kWarp - distance; ++lane) {
                lanes[lane] += std::trunc(lanes[lane + distance]);
            }
        }
        sums[w] = lanes[0];
    }
    return sums;
}

/// What becomes of lane 0 when lanes read from lane 16, 8, 4, 2 and 1.
Floats by_numbers_of_lanes(const Floats& a) {
    Floats sums((a.size() + kWarp - 1) / kWarp);
    for (std::size_t w = 0; w < sums.size(); ++w) {
        std::vector<double> lanes(kWarp, 0);
        for (std::size_t lane = 0; lane < kWarp && w * kWarp + lane < a.size(); ++lane) {
            lanes[lane] = a[w * kWarp + lane];
        }
        for (std::size_t from = kWarp / 2; from > 0; from /= 2) {
            const double value = lanes[from];
            for (double& lane : lanes) lane += value;
        }
        sums[w] = static_cast<float>(lanes[0]);
    }
    return sums;
}

/// Lane 31 stores, whose own value every step has doubled; where it has no element, nobody does.
std::optional<std::string> stored_by_lane_31(const Evidence& e, const Floats& a) {
    for (std::size_t w = 0; w < e.size(); ++w) {
        const std::size_t last = w * kWarp + kWarp - 1;
        const bool fits = last < a.size() && e.got(w) == static_cast<double>(kWarp * a[last]);
        if (last < a.size() ? !fits : !e.untouched[w]) return std::nullopt;
    }
    return "Each sum is 32 times the value of lane 31. With __shfl_down_sync it is lane 0 that has "
           "the sum, so lane 0 must store.";
}

/// "3 blocks of 256 threads are 24 warps": the others have no sum.
std::optional<std::string> too_few_warps(const Evidence& e) {
    if (e.launches.size() != 1) return std::nullopt;
    const LaunchRecord& launch = e.launches.front();
    const std::uint64_t warps = launch.blocks() * launch.threads_per_block() / kWarp;
    if (warps == 0 || warps >= e.size()) return std::nullopt;
    for (std::size_t w = 0; w < e.size(); ++w) {
        if (w < warps ? !e.right[w] : !e.untouched[w]) return std::nullopt;
    }
    return std::to_string(launch.blocks()) + " blocks of " +
           std::to_string(launch.threads_per_block()) + " threads are " + std::to_string(warps) +
           " warps for " + std::to_string(e.size()) +
           " sums, and the last sums were not written. Round the number of blocks up.";
}

void check_warps(int n) {
    const Floats whole = whole_numbers(n);
    const auto exact = submission().call<sum_warps>(whole, out, n);
    Floats first_lane_32_times = warp_sums(whole, [](auto lane) { return lane == 0; });
    for (float& value : first_lane_32_times) value *= kWarp;
    CHECK_THAT(
        exact.output(),
        equals(all_lanes(whole))
            .or_looks_like(warp_sums(whole, [](auto lane) { return lane == 0; }),
                           "Each sum is the value of lane 0 alone: nothing was added to it.")
            .or_looks_like(warp_sums(whole, [](auto lane) { return lane % 2 == 0; }),
                           "Only every second lane is in the sum: the shuffles must go down to a "
                           "distance of 1.")
            .or_looks_like(warp_sums(whole, [](auto lane) { return lane < kWarp / 2; }),
                           "Only the lower 16 lanes are in the sum: the shuffles must begin with a "
                           "distance of 16.")
            .or_looks_like(first_lane_32_times,
                           "Each sum is 32 times the value of lane 0. __shfl_up_sync brings values "
                           "from lower lanes, and lane 0 has none: use __shfl_down_sync.")
            .or_looks_like(warp_sums(whole, [](auto lane) { return lane == kWarp - 1; }),
                           "Each sum is the value of lane 31 alone: = stands where += is needed.")
            .or_diagnose([&](const Evidence& e) { return stored_by_lane_31(e, whole); })
            .or_looks_like(lane_0_twice(whole),
                           "Each sum has the value of lane 0 twice: the shuffles give lane 0 a sum "
                           "that has its own value already.")
            .or_looks_like(scaled(all_lanes(whole), 2),
                           "Each sum is twice too large: a lane that is asked for beyond the "
                           "last one is the lane itself. The distances begin with 16, half a warp.")
            .or_looks_like(scaled(warp_sums(whole, [](auto lane) { return lane < kWarp / 2; }), 2),
                           "Each sum has the lower 16 lanes twice, and the others never: the "
                           "shuffles must reach all 32 lanes, with a width of 32.")
            .or_looks_like(by_numbers_of_lanes(whole),
                           "__shfl_sync takes the number of a lane, the same for all. To read from "
                           "the lane so many places further on takes __shfl_down_sync.")
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
constexpr int kGpuRace = 100'000'003;

template <auto* Function>
Race race_of_sums() {
    return race_against_reference<Function>(
        {.gpu = kGpuRace, .vgpu = (1 << 21) + 3},
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
    const auto race = race_of_sums<sum_hybrid>();
    CHECK_THAT(race, at_least(0.3));
}

TEST_CASE("sum_warps: every warp has its sum", "[correctness][task:2][points:2]") {
    const int n = GENERATE(1000, 31, 33, 64, 32, 1, 2, 16, 17, 255, 256, 257, 1024, 1025, 30'031, 0,
                           random_int(1'100, 100'000));
    twice([&] { check_warps(n); });
}

TEST_CASE("sum_fast: any number of elements", "[correctness][task:3][points:1][id:fast]") {
    const int n = GENERATE(1203, 257, 256, 255, 100, 1024, 1025, 33, 32, 31, 2, 1, 0, 30'031,
                           300'007, random_int(100'000, 1'000'000));
    twice([&] { check_sum<sum_fast>(n); });
}

TEST_CASE("sum_fast: at least 0.45x the reference", "[speed][task:4][points:2][needs:fast]") {
    const auto race = race_of_sums<sum_fast>();
    CHECK_THAT(race, at_least(0.45));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 08) and benchmarks (./lab bench 08), drawn by the scripts of the same
// names in figures/.

namespace {

constexpr int kUnknown = -1;

/// How often each element is in the sum. Six elements at a time are powers of 16, all others 0:
/// then each of them has a digit of the sum.
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
    check_sum<sum_hybrid>(1000);  // what is wrong is told before it is timed
    check_sum<sum_fast>(1000);
    const int n = race_size(kGpuRace, 1 << 22);
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
    for (int n = 1 << 10; n <= race_size(1 << 26, 1 << 22); n *= 4) {
        const Floats a = random_floats(n, -0.5F, 1.0F);
        for (const Version& version : versions()) {
            const double ms = time_ms<sum_fast>(version, a, out, n);
            table.row(n, version.name(), ms, gb_per_s(n, ms));
        }
    }
}
