// Grader of lab 06: what the four reductions must compute, for 10 points.
//
// The expected sums are added in double, where rounding does not show. How far a float sum may be
// off follows from its additions: each rounds by at most 2^-24 of its result, which is at most the
// sum of the magnitudes. A number that goes through k additions is therefore off by k * 2^-24 of
// that sum at worst; in pairs, k is log2(n).
//
// Only the first failure is explained, so each test begins with a size that tells mistakes apart.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
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
#include "cpu_sums.h"
#include "mistakes.h"
#include "reduction_binary.h"
#include "trees.h"

using namespace lab;

namespace {

/// Checks on the virtual GPU that kernels did the work. A GPU reports no launches.
template <class Call>
void check_uses_the_device(const Call& call, int n) {
    if (!on_vgpu()) return;
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the sum must be computed on the device");
    CHECK(executed_for_each(call.launches(), n));
}

void check_block_sums(int n, int threads) {
    const auto a = random_floats(n);
    const auto blocks = blocks_of(a, threads);
    const auto call = submission().call<block_sums>(a, out, n, threads);
    auto right = close_to(for_each_block(blocks, cpu_sum), [&](std::size_t b) {
        return rounding_bound(blocks[b], pairwise_additions(blocks[b].size()));
    });
    CHECK_THAT(call.output(), std::move(right)
                                  .or_looks_like(mistakes_of_blocks(a, threads))
                                  .or_diagnose(last_block_missing)
                                  .or_diagnose(mistakes_of_trees(blocks, threads))
                                  .or_diagnose(nothing_written));
    if (n > 1) check_uses_the_device(call, n);
}

auto close_to_sum(Floats a, double additions) {
    const double bound = rounding_bound(a, additions);
    return close_to(std::vector{static_cast<float>(cpu_sum(a))},
                    [bound](std::size_t) { return bound; });
}

void check_one_block_sum(int n, int threads) {
    const auto a = random_floats(n);
    const auto call = submission().call<one_block_sum>(a, out, n, threads);
    CHECK_THAT(call.output(),
               close_to_sum(a, pairwise_additions(a.size()))
                   .or_diagnose(only_the_first(
                       {threads}, a, call.output()[0],
                       "A block has no more threads. Which of them takes the other elements?"))
                   .or_diagnose(sum_mistakes(a)));
    if (n > 1) check_uses_the_device(call, n);
    if (on_vgpu() && n > 1) {
        // Fewer or more threads than asked for are fine, as in CUB's blocks of a fixed size.
        const auto is_block = [=](const LaunchRecord& launch) {
            return launch.blocks() == 1 &&
                   launch.threads_per_block() >= static_cast<std::uint64_t>(std::min(threads, 32));
        };
        INFO("no kernel was launched with one block of about threads_per_block = " << threads
                                                                                   << " threads");
        CHECK(std::ranges::any_of(call.launches(), is_block));
    }
}

void check_sum(int n) {
    const auto a = random_floats(n);
    const auto call = submission().call<sum>(a, scratch, out, n);
    // One block of the first level, and as many as one block of the second has threads.
    std::vector<int> lengths;
    for (const int first : {128, 256, 512, 1024}) {
        for (const int second : {256, 512, 1024}) lengths.push_back(first * second);
    }
    std::vector<int> as_many_as_blocks;
    for (const int threads : {128, 256, 512, 1024}) {
        if (n > threads) as_many_as_blocks.push_back((n - 1) / threads + 1);
    }
    CHECK_THAT(call.output(),
               close_to_sum(a, pairwise_additions(a.size()))
                   .or_diagnose(only_the_first(lengths, a, call.output()[0],
                                               "The block that adds up the sums of the others "
                                               "takes no more than one for each thread."))
                   .or_diagnose(only_the_first(as_many_as_blocks, a, call.output()[0],
                                               "There are as many blocks. Did the second level add "
                                               "up elements of `a`, not the blocks' sums?"))
                   .or_diagnose(sum_mistakes(a)));
    if (n > 1) check_uses_the_device(call, n);  // a copy is enough for one
}

/// min and max are exact, the sum is not.
struct AgreesInAll {
    double bound;
    bool operator()(const MinMaxSum& got, const MinMaxSum& expected, std::size_t) const {
        return got.min == expected.min && got.max == expected.max &&
               std::abs(static_cast<double>(got.sum) - static_cast<double>(expected.sum)) <= bound;
    }
};

void check_min_max_sum(const std::vector<float>& a) {
    const int n = static_cast<int>(a.size());
    const float infinity = std::numeric_limits<float>::infinity();
    MinMaxSum result{infinity, -infinity, static_cast<float>(cpu_sum(a))};
    for (const float x : a) result = {std::min(result.min, x), std::max(result.max, x), result.sum};
    Comparison<MinMaxSum, AgreesInAll> right(
        {result}, AgreesInAll{rounding_bound(a, additions_in_any_order(a.size()))});
    const auto call = submission().call<min_max_sum>(a, scratch, out, n);
    CHECK_THAT(call.output(), std::move(right)
                                  .or_looks_like(mistakes_of_min_max_sum(a))
                                  .or_diagnose(parts_of_the_result(call.output()[0], result, a))
                                  .or_diagnose(nothing_written));
    if (n > 1) check_uses_the_device(call, n);
    // With fewer elements, blocks that wait for each other (grid.sync()) read as much while they
    // wait.
    if (on_vgpu() && n > 200'000) {
        double bytes = 0;
        for (const LaunchRecord& launch : call.launches()) {
            bytes += static_cast<double>(launch.global_load_bytes);
        }
        const double times_read = bytes / (4.0 * n);
        INFO("the kernels read " << times_read
                                 << " times as many bytes as `a` has: one pass over it is enough "
                                    "for all three");
        // The intermediate results are at most 12 bytes per warp: 0.1. Two passes are 2.
        CHECK(times_read < 1.5);
    }
}

}  // namespace

TEST_CASE("block_sums: blocks of a power of two", "[correctness][task:1][points:2]") {
    const auto [n, threads] = GENERATE(table<int, int>({{1000, 256},
                                                        {256, 256},
                                                        {255, 256},
                                                        {257, 256},
                                                        {1023, 1024},
                                                        {2049, 1024},
                                                        {64, 64},
                                                        {31, 32},
                                                        {33, 32},
                                                        {1, 128},
                                                        {7, 1},
                                                        {5, 2},
                                                        {0, 256},
                                                        {30'031, 128},
                                                        {random_int(1'100, 100'000), 512}}));
    twice([&] { check_block_sums(n, threads); });
}

TEST_CASE("block_sums: blocks of any size", "[correctness][task:2][points:1]") {
    const auto [n, threads] = GENERATE(table<int, int>({{900, 300},
                                                        {1000, 6},
                                                        {1000, 1000},
                                                        {2047, 1023},
                                                        {200, 31},
                                                        {200, 33},
                                                        {100, 3},
                                                        {5, 5},
                                                        {8, 7},
                                                        {30'031, 96},
                                                        {999, 513},
                                                        {0, 100},
                                                        {40'009, random_int(2, 1'023)}}));
    twice([&] { check_block_sums(n, threads); });
}

TEST_CASE("one_block_sum: any number of elements", "[correctness][task:3][points:1]") {
    const auto [n, threads] = GENERATE(table<int, int>({{1000, 256},
                                                        {100, 256},
                                                        {256, 256},
                                                        {257, 256},
                                                        {511, 256},
                                                        {1, 1024},
                                                        {5000, 1024},
                                                        {4099, 7},
                                                        {50, 1},
                                                        {0, 32},
                                                        {30'031, 1000},
                                                        {random_int(2'000, 50'000), 128},
                                                        {10'007, random_int(2, 1'023)}}));
    twice([&] { check_one_block_sum(n, threads); });
}

TEST_CASE("sum: any number of elements", "[correctness][task:4][points:1][id:sum]") {
    // 2^20 + 1025 numbers have more than 1024 blocks of 1024.
    const int n = GENERATE(1003, 255, 256, 257, 1, 2, 0, 1024, 65'535, 65'536, 65'537, 300'007,
                           (1 << 20) + 1025, random_int(1'100, 100'000));
    twice([&] { check_sum(n); });
}

TEST_CASE("sum: hardly lost in rounding", "[correctness][task:4][points:1]") {
    // In such a narrow range every addition to a large sum rounds to the same side: one growing
    // float sum is off by 1 part in 100 here, any kind of tree by 1 in 10,000,000. Allowed: 1 in
    // 16,000, as if some numbers went through 1024 additions before the tree.
    const int n = 1 << 20;
    const auto a = random_floats(n, 0.1F, 0.1001F);
    const auto call = submission().call<sum>(a, scratch, out, n);
    const float one_after_the_other = std::accumulate(a.begin(), a.end(), 0.0F);
    CHECK_THAT(
        call.output(),
        close_to_sum(a, 1024 + pairwise_additions(a.size()))
            .or_looks_like({one_after_the_other},
                           "This is what comes out when the numbers are added to one growing "
                           "float, one after the other: each addition rounds to the "
                           "precision of the large sum. In pairs, the two summands have "
                           "about the same size.")
            .or_diagnose(nothing_written));
}

TEST_CASE("min_max_sum: three results in one pass", "[correctness][task:5][points:2]") {
    struct Range {
        float low, high, smallest, largest;  // most numbers lie between low and high
    };
    const Range around_0{-1, 1, -2, 3}, above_0{0.5, 2, 0.25, 4}, below_0{-3, -1, -8, -0.5};
    const auto [n, range] =
        GENERATE_COPY(table<int, Range>({{1000, around_0},
                                         {1000, above_0},
                                         {1000, below_0},
                                         {1, above_0},
                                         {1, below_0},
                                         {2, around_0},
                                         {31, above_0},
                                         {255, below_0},
                                         {256, above_0},
                                         {257, below_0},
                                         {0, around_0},
                                         {30'031, above_0},
                                         {65'537, below_0},
                                         {300'007, around_0},
                                         {random_int(1'100, 100'000), below_0}}));
    twice([&] {
        auto a = random_floats(n, range.low, range.high);
        if (n > 1) {  // at the very ends, where a bound that is off by one loses them
            a.front() = range.smallest;
            a.back() = range.largest;
            if (random_int(0, 1) == 1) std::swap(a.front(), a.back());
        }
        check_min_max_sum(a);
    });
}

TEST_CASE("sum: at least 0.13x the reference", "[speed][task:4][points:2][needs:sum]") {
    // On a GPU 268 MB: over four times the L2 of an H200, and about 0.5 ms there. Both sizes are
    // beyond all others.
    const auto speed = time_against_reference<sum>(
        {.gpu = (1 << 26) + 3, .vgpu = (1 << 21) + 3},
        [](int n) { return std::tuple(random_floats(n), scratch, out, n); },
        [](const auto& a, auto...) { return close_to_sum(a, pairwise_additions(a.size())); });
    CHECK_THAT(speed, at_least(0.13));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 06) and benchmarks (./lab bench 06), drawn by the scripts of the same
// names in figures/.

TEST_CASE("picture: block_sums", "[.][picture]") {
    // A vector that is 1 in one place and 0 elsewhere shows how often that element was added.
    const int n = 29, threads = 11, blocks = 3;
    Table table("block_sums", {"block", "element", "times", "expected"});
    for (int i = 0; i < n; ++i) {
        std::vector<float> a(n, 0.0F);
        a[static_cast<std::size_t>(i)] = 1;
        const auto sums = submission().call<block_sums>(a, out, n, threads).output();
        for (int b = 0; b < blocks; ++b) {
            const auto at = static_cast<std::size_t>(b);
            const float times = sums.untouched(at) ? std::nanf("") : sums[at];
            table.row(b, i, times, i / threads == b ? 1 : 0);
        }
    }
}

TEST_CASE("picture: rounding_of_yours", "[.][picture]") {
    Table table("rounding_of_yours", {"n", "student", "growing", "allowed"});
    for (int n = 1 << 4; n <= 1 << 20; n *= 2) {
        const auto a = random_floats(n, 0.1F, 0.1001F);
        const double exact = cpu_sum(a);
        const float total = submission().call<sum>(a, scratch, out, n).output()[0];
        const float growing = std::accumulate(a.begin(), a.end(), 0.0F);
        const auto error = [&](float got) {
            return std::abs(static_cast<double>(got) - exact) / exact;
        };
        table.row(n, error(total), error(growing),
                  rounding_bound(a, 1024 + pairwise_additions(a.size())) / exact);
    }
}

TEST_CASE("bench: bandwidth", "[.][bench]") {
    check_sum(1000);  // reports a wrong program before timing it
    const int largest = speed_size(1 << 26, 1 << 22), step = speed_size(2, 4);
    const auto a = random_floats(largest);
    Table table("bandwidth", {"n", "version", "time_ms", "gb_per_s"});
    for (int n = 1 << 10; n <= largest; n *= step) {
        const Floats first(a.data(), static_cast<std::size_t>(n));
        for (const Version& version : versions()) {
            const double ms = time_ms<sum>(version, first, scratch, out, n);
            table.row(n, version.name(), ms, sizeof(float) * 1e-6 * n / ms);
        }
    }
}

TEST_CASE("bench: trees", "[.][bench]") {
    check_sum(1000);
    const int n = speed_size((1 << 26) + 3, 1 << 20);
    const auto a = random_floats(n);
    std::vector<Version> all = versions();
    std::ranges::copy(other_versions(), std::back_inserter(all));
    if (on_vgpu()) {
        // Modelled, the trees take the same time within 5 %, in another order than on an H200: the
        // lesson is in the counts.
        Table table("trees_counted", {"version", "n", "parted", "requests", "passes"});
        for (const Version& version : all) {
            std::uint64_t parted = 0, requests = 0, passes = 0;
            for (const LaunchRecord& launch : launches_of<sum>(version, a, scratch, out, n)) {
                parted += launch.divergent_branches;
                requests += launch.shared_requests;
                passes += launch.shared_wavefronts;
            }
            table.row(version.name(), n, parted, requests, passes);
        }
        return;
    }
    Table table("trees_timed", {"version", "n", "time_ms", "gb_per_s"});
    for (const Version& version : all) {
        const double ms = time_ms<sum>(version, a, scratch, out, n);
        table.row(version.name(), n, ms, sizeof(float) * 1e-6 * n / ms);
    }
}
