// Grader of lab 07: what reductions with atomic operations must compute, for 10 points.
//
// Sums of ints, minima, maxima and counts are exact. A float sum is added in an order that nobody
// knows. Its partial sums are those of random numbers from -1 to 1: below 6 standard deviations,
// 6 * sqrt(n / 3), whatever the order. Each addition rounds that by at most 2^-24 of it, and the n
// errors have random signs: again 6 * sqrt(n) of them. Together 21 * n * 2^-24.
//
// Each test begins with a size at which a mistake shows its face: the first failure is explained.

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
#include <vector>

#include "check/check.h"
#include "reduction_atomic.h"

using namespace lab;

static bool operator==(const IntRange& a, const IntRange& b) {
    return a.lowest == b.lowest && a.highest == b.highest;
}
static std::ostream& operator<<(std::ostream& os, const IntRange& range) {
    return os << "{lowest " << range.lowest << ", highest " << range.highest << "}";
}

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

double sum_bound(const std::vector<float>& a) {
    return std::ldexp(21.0 * static_cast<double>(a.size()), -24);
}

auto close_to_sum(const std::vector<float>& a) {
    const double sum = std::accumulate(a.begin(), a.end(), 0.0);
    return close_to(std::vector{static_cast<float>(sum)},
                    [bound = sum_bound(a)](std::size_t) { return bound; });
}

/// On the virtual GPU: the work was done by kernels. A GPU does not tell.
template <class Call>
void check_uses_the_device(const Call& call, int n) {
    if (!on_vgpu()) return;
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the result must be computed on the device");
    CHECK(executed_for_each(call.launches(), n));
}

/// Sums in which every thread of a block, and not one of them, added what the block has.
Diagnoser block_added_by_all_of_its_threads(double sum, double bound) {
    return [=](const Evidence& e) -> std::optional<std::string> {
        for (const double threads : {32.0, 64.0, 128.0, 256.0, 512.0, 1024.0}) {
            if (!(std::abs(e.got(0) - threads * sum) <= threads * bound)) continue;
            // A sum this small is met by chance.
            if (std::abs(sum) < 100 * bound) continue;
            return "The sum is " + std::to_string(static_cast<int>(threads)) +
                   " times too large: every thread of a block adds the block's total. One must.";
        }
        return std::nullopt;
    };
}

/// On the virtual GPU: how many atomic operations reached global memory. A GPU does not tell; there
/// the time does.
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
                                  .or_diagnose(sum_mistakes(a)));
    if (n > 1) check_uses_the_device(call, n);
}

/// Recognises the range, or the largest, of only a part of `a`. `is_of(begin, end)`: is it of
/// these?
template <class IsOf>
std::optional<std::string> part_of(std::size_t n, IsOf is_of) {
    if (n < 2) return std::nullopt;
    if (is_of(0, n - 1)) return "The last element was left out: the bound must be i < n.";
    if (is_of(1, n)) return "The first element was left out: indices begin at 0.";
    // The same extremes may lie in parts of different sizes.
    std::vector<std::size_t> beginnings;
    for (const std::size_t threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
        if (threads < n && is_of(0, threads)) beginnings.push_back(threads);
    }
    if (!beginnings.empty()) {
        const std::string count =
            beginnings.size() == 1 ? std::to_string(beginnings[0]) : "few hundred";
        return "Only the first " + count +
               " elements were looked at: either there is but one block, or all blocks have the "
               "same elements, because blockIdx is missing from the index.";
    }
    for (const std::size_t threads : {1024u, 512u, 256u, 128u, 64u, 32u}) {
        if (const std::size_t whole = n / threads * threads;
            whole > 0 && whole < n && is_of(0, whole)) {
            return "Elements at the end were not looked at: round the number of blocks up.";
        }
    }
    return std::nullopt;
}

/// What lowest and highest come out as when every number is seen as another type.
template <class As>
std::vector<IntRange> range_as(const std::vector<int>& a) {
    auto lowest = static_cast<As>(INT_MAX), highest = static_cast<As>(INT_MIN);
    for (const int x : a) {
        lowest = std::min(lowest, static_cast<As>(x));
        highest = std::max(highest, static_cast<As>(x));
    }
    const auto as_int = [](As x) {
        // As a GPU converts: to the nearest int there is.
        return static_cast<double>(x) >= 2147483647.0 && std::is_floating_point_v<As>
                   ? INT_MAX
                   : static_cast<int>(x);
    };
    return {{as_int(lowest), as_int(highest)}};
}

void check_range(const std::vector<int>& a) {
    const auto range_from = [&](IntRange range) {
        for (const int x : a) {
            range = {std::min(range.lowest, x), std::max(range.highest, x)};
        }
        return std::vector{range};
    };
    const auto right = range_from({INT_MAX, INT_MIN});
    const auto call = submission().call<range_of_ints>(a, out, static_cast<int>(a.size()));
    CHECK_THAT(
        call.output(),
        equals(right)
            .or_looks_like(range_from({0, INT_MIN}),
                           "The lowest came out as 0, which is none of the numbers: begin with "
                           "INT_MAX, which every number replaces.")
            .or_looks_like(range_from({INT_MAX, 0}),
                           "The highest came out as 0, which is none of the numbers: begin with "
                           "INT_MIN, which every number replaces.")
            .or_looks_like(range_from({0, 0}),
                           "0 is none of the numbers: lowest must begin with INT_MAX and highest "
                           "with INT_MIN, which every number replaces.")
            .or_looks_like({{right[0].highest, right[0].lowest}},
                           "lowest and highest have changed places.")
            .or_looks_like({{INT_MAX, INT_MIN}},
                           "lowest and highest are still what they began with: atomicMin must "
                           "lower `lowest`, and atomicMax raise `highest`.")
            .or_looks_like({{right[0].lowest, INT_MIN}},
                           "highest is still INT_MIN, which it began with: atomicMax must raise "
                           "it.")
            .or_looks_like({{INT_MAX, right[0].highest}},
                           "lowest is still INT_MAX, which it began with: atomicMin must lower it.")
            .or_looks_like({{INT_MIN, INT_MAX}},
                           "No number is below INT_MIN or above INT_MAX: lowest must begin with "
                           "INT_MAX, and highest with INT_MIN.")
            .or_looks_like(range_as<unsigned>(a),
                           "The numbers were compared as unsigned: there, negative ones are above "
                           "all others.")
            .or_looks_like({{range_as<unsigned>(a)[0].lowest, right[0].highest}},
                           "The lowest was compared as unsigned: there, negative numbers are "
                           "above all others.")
            .or_looks_like({{right[0].lowest, range_as<unsigned>(a)[0].highest}},
                           "The highest was compared as unsigned: there, negative numbers are "
                           "above all others.")
            .or_looks_like(range_from({-1, 0}),
                           "lowest began with -1 and highest with 0: cudaMemset stores the lowest "
                           "byte of its value in every byte, so INT_MAX becomes -1.")
            .or_diagnose([&](const Evidence&) -> std::optional<std::string> {
                if (!a.empty()) return std::nullopt;
                return "Of no numbers at all, the range is what it begins with: INT_MAX and "
                       "INT_MIN, which every number replaces.";
            })
            .or_looks_like(range_as<float>(a),
                           "The numbers went through a float, which has only 24 binary digits.")
            .or_diagnose([&](const Evidence&) {
                const IntRange got = call.output()[0];
                return part_of(a.size(), [&](std::size_t begin, std::size_t end) {
                    const auto [low, high] =
                        std::ranges::minmax(std::span(a).subspan(begin, end - begin));
                    return got == IntRange{low, high};
                });
            })
            .or_diagnose(nothing_written));
    if (a.size() > 1)
        check_uses_the_device(call, static_cast<int>(a.size()));  // a copy is enough for one
}

/// What the largest is when floats are compared by their bits, read as ints.
float max_of_bits(const std::vector<float>& a, float start) {
    const auto bits = [](float x) {
        std::int32_t word;
        std::memcpy(&word, &x, sizeof(word));
        return word;
    };
    for (const float x : a) {
        if (bits(x) > bits(start)) start = x;
    }
    return start;
}

/// Floats with the bits of these numbers, rounded to ints.
std::vector<float> bits_of_ints(std::vector<float> values) {
    for (float& value : values) {
        if (!(std::abs(value) < 1e9F)) continue;
        const auto rounded = static_cast<std::int32_t>(value);
        std::memcpy(&value, &rounded, sizeof(value));
    }
    return values;
}

/// `got` is one of the numbers, and not the largest.
std::optional<std::string> other_element(const std::vector<float>& a, float got) {
    if (a.size() < 2 || std::ranges::find(a, got) == a.end()) return std::nullopt;
    if (got == std::ranges::min(a)) {
        return "This is the smallest of the numbers: the comparison is the wrong way round.";
    }
    const auto part = part_of(a.size(), [&](std::size_t begin, std::size_t end) {
        return got == std::ranges::max(std::span(a).subspan(begin, end - begin));
    });
    if (part) return part;
    return "This is one of the numbers, but not the largest: a number was stored over a larger "
           "one, or a thread gave up when atomicCAS had found another number than it expected.";
}

void check_max(const std::vector<float>& a) {
    const auto max_from = [&](float start) {
        for (const float x : a) start = std::max(start, x);
        return std::vector{start};
    };
    const bool has_positive = std::ranges::any_of(a, [](float x) { return x > 0; });
    const std::string by_bits =
        "The numbers were compared by their bits, as ints: among negative floats that order runs "
        "the other way. Compare them as floats.";
    const std::string still_there =
        std::string("The largest is still the -infinity that it began with. ") +
        (has_positive ? "No element has replaced it."
                      : "If vectors of positive numbers come out right, the" + by_bits.substr(3));
    const auto call = submission().call<max_of_floats>(a, out, static_cast<int>(a.size()));
    CHECK_THAT(call.output(),
               equals(max_from(-kInfinity))
                   .or_looks_like({-kInfinity}, still_there)
                   .or_looks_like({max_of_bits(a, -std::numeric_limits<float>::max())}, by_bits)
                   .or_looks_like(max_from(0),
                                  "The largest came out as 0, which is none of the numbers: begin "
                                  "with -infinity, which every number replaces.")
                   .or_looks_like(max_from(std::numeric_limits<float>::min()),
                                  "The largest came out as 1.17549e-38. That is FLT_MIN, the "
                                  "smallest float above 0; -infinity is below all.")
                   .or_looks_like({kInfinity},
                                  "The largest is infinity, which is above all numbers: begin with "
                                  "-infinity.")
                   .or_looks_like(bits_of_ints(max_from(-kInfinity)),
                                  "The bits of an int are stored: __float_as_int(x) keeps the bits "
                                  "of the float, where (int)x makes another number of it.")
                   .or_diagnose([&](const Evidence&) { return other_element(a, call.output()[0]); })
                   .or_diagnose(nothing_written));
    if (a.size() > 1)
        check_uses_the_device(call, static_cast<int>(a.size()));  // a copy is enough for one
}

std::vector<int> cpu_histogram(std::span<const int> keys, int bins) {
    std::vector<int> counts(static_cast<std::size_t>(bins));
    for (const int key : keys) ++counts[static_cast<std::size_t>(key)];
    return counts;
}

/// Keys below `bins`, half of them 0, a quarter from the first half of the others, and so on: as
/// unlike each other as counts get, and with one place that everybody wants.
std::vector<int> skewed_keys(int n, int bins) {
    auto keys = random_ints(n, 0, (1 << 20) - 1);
    for (int& key : keys) {
        const int halvings = key % 8;
        key = key / 8 % std::max(1, bins >> halvings);
        if (halvings >= 4) key = 0;
    }
    return keys;
}

std::optional<std::string> more_bins_than_threads(const Evidence& e) {
    const auto first_wrong = std::ranges::find(e.right, false);
    const auto right = static_cast<std::size_t>(first_wrong - e.right.begin());
    // Blocks are whole warps, and what lies behind is 0: also right where a key never occurs.
    if (right < 32 || right > 1023) return std::nullopt;
    for (const std::size_t threads : {32u, 64u, 128u, 256u, 512u}) {
        if (right < threads || right >= 2 * threads) continue;
        for (std::size_t bin = threads; bin < e.size(); ++bin) {
            if (e.got(bin) != 0) return std::nullopt;
        }
        return "From counts[" + std::to_string(threads) +
               "] on all are 0. If a block has as many threads: there are more bins, so each "
               "thread "
               "must loop over several.";
    }
    return std::nullopt;
}

/// Keys that some of the threads counted again: no count is too small.
Diagnoser more_counts_than_keys(int n) {
    return [n](const Evidence& e) -> std::optional<std::string> {
        double counted = 0;
        for (std::size_t bin = 0; bin < e.size(); ++bin) {
            if (e.untouched[bin] || e.got(bin) < e.expected(bin)) return std::nullopt;
            counted += e.got(bin);
        }
        constexpr double kMost = 1e15;
        if (counted > kMost) return std::nullopt;
        return "There are " + std::to_string(n) + " keys, and " +
               std::to_string(static_cast<long long>(counted)) +
               " were counted: several threads count the same ones. In the loop, a thread's next "
               "key is gridDim.x * blockDim.x further on.";
    };
}

/// Counts that are all the same number of times too large.
std::optional<std::string> counted_several_times(const Evidence& e) {
    double factor = 0;
    for (std::size_t bin = 0; bin < e.size(); ++bin) {
        if (e.expected(bin) == 0 ? e.got(bin) != 0 : false) return std::nullopt;
        if (e.expected(bin) == 0) continue;
        const double ratio = e.got(bin) / e.expected(bin);
        if (factor == 0) factor = ratio;
        if (ratio != factor) return std::nullopt;
    }
    if (factor < 2 || factor != std::floor(factor)) return std::nullopt;
    std::string why = "each key is counted several times.";
    if (e.launches.size() == 1) {
        const auto blocks = static_cast<double>(e.launches[0].blocks()),
                   threads = static_cast<double>(e.launches[0].threads_per_block());
        if (factor == blocks && factor != threads) {
            why = "every block counts all keys. Each key belongs to one block.";
        } else if (factor == threads && factor != blocks) {
            why =
                "every thread of a block adds all of the block's counters. Each counter belongs "
                "to one thread.";
        }
    }
    return "All counts are " + std::to_string(static_cast<int>(factor)) +
           " times too large: " + why;
}

std::optional<std::string> last_bin_missing(const Evidence& e) {
    const std::size_t last = e.size() - 1;
    if (e.size() < 3 || e.right[last] || e.got(last) != 0) return std::nullopt;
    if (!std::all_of(e.right.begin(), e.right.end() - 1, [](bool right) { return right; })) {
        return std::nullopt;
    }
    return "Only the last counter is wrong, it is 0: there are `bins` of them, 0 to bins - 1.";
}

/// Counts of a part of the keys.
Diagnoser part_of_the_keys(const std::vector<int>& keys, int bins) {
    return [&keys, bins](const Evidence& e) -> std::optional<std::string> {
        const std::size_t n = keys.size();
        const auto is_count = [&](std::span<const int> part, int times) {
            const auto counts = cpu_histogram(part, bins);
            for (std::size_t bin = 0; bin < e.size(); ++bin) {
                if (e.got(bin) != static_cast<double>(times) * counts[bin]) return false;
            }
            return true;
        };
        const auto all = std::span(keys);
        if (n > 1 && is_count(all.first(n - 1), 1)) {
            return "The last key was not counted: the bound must be i < n.";
        }
        if (n > 1 && is_count(all.last(n - 1), 1)) {
            return "The first key was not counted: indices begin at 0.";
        }
        for (const LaunchRecord& launch : e.launches) {
            const std::size_t threads = launch.threads_per_block(),
                              in_all = threads * launch.blocks();
            if (in_all < n && is_count(all.first(in_all), 1)) {
                return "Only the first " + std::to_string(in_all) + " of " + std::to_string(n) +
                       " keys were counted, one a thread: each thread must loop over several.";
            }
            if (threads < n && launch.blocks() > 1 &&
                is_count(all.first(threads), static_cast<int>(launch.blocks()))) {
                return "Every block counted the same keys, the first " + std::to_string(threads) +
                       ": blockIdx is missing from the index.";
            }
        }
        return std::nullopt;
    };
}

template <class Change>
std::vector<int> changed(std::vector<int> values, Change change) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = change(values[i], static_cast<int>(i));
    }
    return values;
}

void check_histogram(int n, int bins) {
    const auto keys = skewed_keys(n, bins);
    const auto right = cpu_histogram(keys, bins);
    const auto later = changed(keys, [=](int key, int) { return (key + 1) % bins; });
    const auto earlier = changed(keys, [=](int key, int) { return (key + bins - 1) % bins; });
    const char* const moved = "Every count stands one place off: key k belongs into counts[k].";
    const auto call = submission().call<histogram>(keys, out, n, bins);
    CHECK_THAT(call.output(),
               equals(right)
                   .or_looks_like(cpu_histogram(later, bins), moved)
                   .or_looks_like(cpu_histogram(earlier, bins), moved)
                   .or_looks_like(changed(right, [](int count, int bin) { return count * bin; }),
                                  "The keys were added: counts[key] grows by 1 for each key.")
                   .or_looks_like(changed(right, [](int count, int) { return count % 256; }),
                                  "Counts begin again at 256: a counter has only 8 bits.")
                   .or_looks_like(changed(right, [](int count, int) { return count % 65536; }),
                                  "Counts begin again at 65536: a counter has only 16 bits.")
                   .or_looks_like(std::vector<int>(static_cast<std::size_t>(bins)),
                                  "All counts are 0: no key was counted.")
                   .or_diagnose(last_bin_missing)
                   .or_diagnose(counted_several_times)
                   .or_diagnose(part_of_the_keys(keys, bins))
                   .or_diagnose(more_bins_than_threads)
                   .or_diagnose(more_counts_than_keys(n))
                   .or_diagnose(nothing_written));
    if (n > 1) check_uses_the_device(call, n);
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
        CHECK_THAT(call.output(), equals(std::vector{sum}).or_diagnose(sum_mistakes(a)));
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
        {256, 0.5, 1, 2},
        {257, -3, -1, -0.25},
        {0, 0, 1, 1},
        {10'007, -1, 1, 1.25},
        {random_int(1'100, 5'000), -1e10F, -1, -0.75},
    }));
    twice([&] {
        auto a = random_floats(n, low, high);
        if (n > 1) (random_int(0, 1) == 1 ? a.front() : a.back()) = largest;
        // Rising, so that each number replaces the one before: as many collisions as there can be.
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
                                                     {300'007, 64},
                                                     {random_int(1'100, 100'000), 31},
                                                     {10'007, random_int(2, 1'024)}}));
    twice([&] { check_histogram(n, bins); });
}

TEST_CASE("block_first_sum: at least 0.1x the reference",
          "[speed][task:4][points:1][needs:block]") {
    // On a GPU 268 MB: over four times the L2 of an H200. Both sizes are beyond all others.
    const int n = race_size((1 << 26) + 3, (1 << 19) + 50'021);
    const auto race = race_against_reference<block_first_sum>(
        [](const auto& a, auto...) { return close_to_sum(a); }, random_floats(n), out, n);
    CHECK_THAT(race, at_least(0.1));
    if (on_vgpu()) {
        const auto atomics =
            global_atomics(submission().call<block_first_sum>(random_floats(n), out, n));
        INFO(atomics << " atomic operations reached global memory for " << n
                     << " elements: add up each block in shared memory, and add that to the total "
                        "once");
        CHECK(atomics <= static_cast<std::uint64_t>(n) / 32 + 1);  // one a warp would do
    }
}

TEST_CASE("histogram: at least 0.1x the reference", "[speed][task:5][points:1][needs:histogram]") {
    const int n = race_size((1 << 26) + 3, (1 << 19) + 50'021), bins = 64;
    const auto race = race_against_reference<histogram>(
        [](const auto& keys, auto...) { return equals(cpu_histogram(keys, 64)); },
        skewed_keys(n, bins), out, n, bins);
    CHECK_THAT(race, at_least(0.1));
    if (on_vgpu()) {
        const auto atomics =
            global_atomics(submission().call<histogram>(skewed_keys(n, bins), out, n, bins));
        INFO(atomics << " atomic operations reached global memory for " << n
                     << " keys: count in shared memory, and add each of the block's counts to the "
                        "total once");
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
    check_float_sum<sum_of_floats>(1000);  // what is wrong is told before it is timed
    check_float_sum<block_first_sum>(1000);
    const int largest = race_size(1 << 22, 1 << 18);
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
    check_histogram(1000, 100);
    const int n = race_size(1 << 24, 1 << 18);
    Table table("contention", {"bins", "version", "time_ms"});
    for (int bins = 1; bins <= 1024; bins *= 2) {
        const auto keys = random_ints(n, 0, bins - 1);
        for (const Version& version : versions()) {
            table.row(bins, version.name(), time_ms<histogram>(version, keys, out, n, bins));
        }
    }
}
