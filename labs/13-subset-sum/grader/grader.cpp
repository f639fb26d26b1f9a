// Grader of lab 13: what next_column, subset_sum and subset_sum_bits must return, for 10 points.
//
// Columns are sparse enough that a flag too many shows, and so does one too few. Small sets are
// judged by all their subsets, without a table; larger ones by the recurrence in plain code. No
// items have the target 0 only: a longer column 0 may well be a copy from the host.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "mistakes.h"
#include "oracle.h"
#include "subset_sum.h"

using namespace lab;

namespace {

/// A column in which about three flags of eight are 1: that of 0 is, that of `clear` is not.
Column random_column(int target, int clear) {
    Column column(static_cast<std::size_t>(target) + 1);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (i % 16 == 0) bits = random_source().bits();
        column[i] = (bits & 7) < 3 ? 1 : 0;
        bits >>= 3;
    }
    if (clear > 0 && clear <= target) column[static_cast<std::size_t>(clear)] = 0;
    column[0] = 1;
    return column;
}

/// Have kernels executed enough to have looked at `elements`? A host that computes has not.
template <class Call>
void check_launched(const Call& call, long long elements) {
    if (!on_vgpu() || elements <= 0) return;  // a GPU reports no launches
    INFO("no kernel was launched, or its threads have done too little to have looked at "
         << elements << " elements: columns must be computed on the device");
    CHECK(executed_for_each(call.launches(), elements));
}

struct ColumnCase {
    int target, item, chunk = 1;
};

void check_column(const ColumnCase& c) {
    const Column column = random_column(c.target, c.item);
    const auto call = submission().call<next_column>(column, out, c.item, c.target, c.chunk);
    CHECK_THAT(call.output(),
               equals(column_after(column, c.item))
                   .or_looks_like(mistakes_of_columns(column, c.item))
                   .or_diagnose(only_ones_stored)
                   .or_diagnose(target_left_out)
                   .or_diagnose([&](const Evidence& e) { return no_loop(e, c.chunk); })
                   .or_diagnose(no_flag)
                   .or_diagnose(indexing_mistakes));
    // What lies below the item may be copied.
    check_launched(call, c.target + 1LL - c.item);
}

struct Set {
    int n, target;
};

/// Items whose sum is about twice the target. The second of three is the target itself. An odd
/// number of more items reaches the target with the first two. Among four items one is larger than
/// the target, among six two are equal.
std::vector<int> random_items(const Set& set) {
    const auto n = static_cast<std::size_t>(set.n);
    std::vector<int> items = random_ints(n, 1, std::max(1, 4 * (set.target / std::max(1, set.n))));
    if (n == 1) items[0] = std::max(1, set.target);  // the last item alone reaches it
    if (n == 3) items[1] = std::max(1, set.target);
    if (n % 2 == 1 && n > 3) items[1] = std::max(1, set.target - items[0]);
    if (n >= 4) items[n / 2] = set.target + random_int(1, 100);
    if (n >= 6) items[n - 2] = items[1];
    if (n >= 8) items[2] = INT_MAX;
    return items;
}

constexpr int kFewItems = 12;  // 4096 subsets

Column right_sums(const std::vector<int>& items, int target) {
    return items.size() <= kFewItems ? sums_of_all_subsets(items, target)
                                     : sums_by_columns(items, target);
}

/// Work that no program saves: the target's flags, or the subsets if these are fewer.
long long least_work(const std::vector<int>& items, int target) {
    const bool has_small = std::ranges::any_of(items, [=](int item) { return item <= target; });
    if (!has_small) return 0;
    return items.size() <= kFewItems ? std::min(target + 1LL, 1LL << items.size()) : target + 1LL;
}

void check_sums(const Set& set) {
    const std::vector<int> items = random_items(set);
    const auto call = submission().call<subset_sum>(items, out, scratch, set.n, set.target);
    CHECK_THAT(call.output(),
               equals(right_sums(items, set.target))
                   .or_looks_like(mistakes_of_sums(items, set.target))
                   .or_diagnose([&](const Evidence& e) { return nothing_without_items(e, set.n); })
                   .or_diagnose(only_ones_stored)
                   .or_diagnose(target_left_out)
                   .or_diagnose(no_flag)
                   .or_diagnose(indexing_mistakes));
    check_launched(call, least_work(items, set.target));
}

void check_bits(const Set& set) {
    const std::vector<int> items = random_items(set);
    const auto call = submission().call<subset_sum_bits>(items, out, scratch, set.n, set.target);
    CHECK_THAT(
        call.output(),
        equals(packed(right_sums(items, set.target)))
            .or_looks_like(mistakes_of_bits(items, set.target))
            .or_diagnose([&](const Evidence& e) { return nothing_without_items(e, set.n); })
            .or_diagnose([&](const Evidence& e) { return bits_behind_target(e, set.target); })
            .or_diagnose(indexing_mistakes));
    check_launched(call, least_work(items, set.target) / 32);
}

template <auto* Function>
void check_frees(const char* name, const Set& set) {
    const std::vector<int> items = random_items(set);
    check_leaves_nothing(name, [&] {
        return submission().call<Function>(items, out, scratch, set.n, set.target).leaked_bytes();
    });
}

// Two columns on a GPU are 400 MB, 200 MB and 225 MB, several times the L2 of an H200.
constexpr SpeedSizes kColumnSizes{.gpu = 200'000'003, .vgpu = (1 << 22) + 3};
constexpr SpeedSizes kSumsSizes{.gpu = 100'000'003, .vgpu = (1 << 20) + 3};
constexpr SpeedSizes kBitsSizes{.gpu = 900'000'003, .vgpu = (1 << 23) + 3};
constexpr int kTimedChunk = 32, kTimedItems = 10;  // items: of timed_items

/// target + 1 is always 3 more than a multiple of 64: what vectors leave over takes the same time
/// at each size.
int timed_target(int elements) {
    return elements / 64 * 64 + 2;
}

/// Random numbers up to four tenths of the target, as thousandths of it. The same at each size:
/// then the work grows in proportion for those, too, who compute no more than the sums so far.
std::vector<int> timed_items(int target) {
    std::vector<int> items;
    for (const int thousandths : {383, 52, 271, 118, 330, 27, 204, 91, 396, 160}) {
        items.push_back(static_cast<int>(target / 1000.0 * thousandths) + 1);
    }
    return items;
}

}  // namespace

TEST_CASE("next_column: one element a thread", "[correctness][task:1][points:2]") {
    const auto c = GENERATE(
        ColumnCase{1000, 300}, ColumnCase{255, 1}, ColumnCase{256, 3}, ColumnCase{254, 40},
        ColumnCase{1000, 1000}, ColumnCase{1000, 999}, ColumnCase{1000, 1001},
        ColumnCase{1000, INT_MAX}, ColumnCase{31, 7}, ColumnCase{32, 32}, ColumnCase{33, 1},
        ColumnCase{1023, 512}, ColumnCase{1024, 256}, ColumnCase{0, 1}, ColumnCase{1, 1},
        ColumnCase{2, 1}, ColumnCase{30'030, 4097}, ColumnCase{100'003, 50'001});
    twice([&] { check_column(c); });
    check_column({random_int(1'100, 100'000), random_int(1, 1'000)});
}

TEST_CASE("subset_sum: against all subsets, and long columns",
          "[correctness][task:2][points:2][id:sums]") {
    const auto set =
        GENERATE(Set{7, 1000}, Set{2, 1000}, Set{1, 100}, Set{8, 4095}, Set{3, 255}, Set{5, 256},
                 Set{12, 4096}, Set{6, 31}, Set{9, 32}, Set{4, 0}, Set{0, 0}, Set{0, 1000},
                 Set{3, 1}, Set{18, 100'003}, Set{150, 5'003});
    twice([&] { check_sums(set); });
    check_sums({random_int(3, 11), random_int(500, 5'000)});
    if (set.n == 7) check_frees<subset_sum>("subset_sum", set);
}

TEST_CASE("subset_sum: at least 0.25x the reference", "[speed][task:2][points:1][needs:sums]") {
    const auto speed = time_against_reference<subset_sum>(
        kSumsSizes,
        [](int elements) {
            const int target = timed_target(elements);
            return std::tuple(timed_items(target), out, scratch, kTimedItems, target);
        },
        [](const std::vector<int>& items, auto, auto, int, int target) {
            return equals(sums_of_all_subsets(items, target));
        });
    CHECK_THAT(speed, at_least(0.25));
}

TEST_CASE("next_column: several elements a thread", "[correctness][task:3][points:1][id:chunks]") {
    const auto c =
        GENERATE(ColumnCase{1000, 300, 4}, ColumnCase{1023, 300, 2}, ColumnCase{1024, 5, 4},
                 ColumnCase{4095, 16, 16}, ColumnCase{4096, 16, 16}, ColumnCase{8191, 1, 3},
                 ColumnCase{511, 256, 1024}, ColumnCase{0, 1, 8}, ColumnCase{30'030, 4097, 8},
                 ColumnCase{100'003, 50'001, 64}, ColumnCase{5000, 77, 5}, ColumnCase{33, 1, 2});
    twice([&] { check_column(c); });
    check_column({random_int(1'100, 100'000), random_int(1, 1'000), random_int(2, 20)});
}

TEST_CASE("next_column: at least 0.35x the reference", "[speed][task:3][points:1][needs:chunks]") {
    const auto speed = time_against_reference<next_column>(
        kColumnSizes,
        [](int elements) {
            const int target = timed_target(elements), item = target / 7 * 3 + 1;
            return std::tuple(random_column(target, item), out, item, target, kTimedChunk);
        },
        [](const Column& column, auto, int item, auto...) {
            return equals(column_after(column, item));
        });
    CHECK_THAT(speed, at_least(0.35));
}

TEST_CASE("subset_sum_bits: the same sums, 32 in a word",
          "[correctness][task:4][points:2][id:bits]") {
    const auto set =
        GENERATE(Set{7, 1000}, Set{2, 1000}, Set{1, 100}, Set{8, 4095}, Set{3, 255}, Set{5, 256},
                 Set{12, 8191}, Set{6, 31}, Set{9, 32}, Set{4, 0}, Set{0, 0}, Set{0, 1000},
                 Set{3, 1}, Set{10, 8192}, Set{18, 100'003}, Set{150, 50'003});
    twice([&] { check_bits(set); });
    check_bits({random_int(3, 11), random_int(500, 50'000)});
    if (set.n == 7) check_frees<subset_sum_bits>("subset_sum_bits", set);
}

TEST_CASE("subset_sum_bits: at least 0.25x the reference",
          "[speed][task:4][points:1][needs:bits]") {
    const auto speed = time_against_reference<subset_sum_bits>(
        kBitsSizes,
        [](int elements) {
            const int target = timed_target(elements);
            return std::tuple(timed_items(target), out, scratch, kTimedItems, target);
        },
        [](const std::vector<int>& items, auto, auto, int, int target) {
            return equals(bits_of_all_subsets(items, target));
        });
    CHECK_THAT(speed, at_least(0.25));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 13) and benchmarks (./lab bench 13), drawn by the scripts of the same
// names in figures/.

TEST_CASE("picture: columns", "[.][picture]") {
    const std::vector<int> items{3, 7, 12, 20, 26, 33};
    const int target = 40;
    Table table("columns", {"items", "sum", "written", "student", "expected"});
    for (int n = 0; n <= static_cast<int>(items.size()); ++n) {
        const std::vector<int> first(items.begin(), items.begin() + n);
        const auto flags = submission().call<subset_sum>(first, out, scratch, n, target).output();
        const Column expected = sums_of_all_subsets(first, target);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            table.row(n, i, !flags.untouched(i), int{flags[i]}, int{expected[i]});
        }
    }
}

TEST_CASE("bench: chunks", "[.][bench]") {
    check_column({1000, 300, 4});  // reports a wrong program before timing it
    const int target = speed_size(25'000'000, 1 << 22), item = target / 7 * 3 + 1;
    const Column column = random_column(target, item);
    Table table("chunks", {"chunk", "version", "time_us"});
    for (int chunk = 1; chunk <= 64; chunk *= 2) {
        for (const Version& version : versions()) {
            if (version.name() == "expert") continue;  // it has a chunk of its own
            const double ms = time_ms<next_column>(version, column, out, item, target, chunk);
            table.row(chunk, version.name(), 1000 * ms);
        }
    }
}

TEST_CASE("bench: versions", "[.][bench]") {
    check_sums({7, 1000});
    check_bits({7, 1000});
    const int target = speed_size(100'000'000, 1 << 22);
    const std::vector<int> items = timed_items(target);
    Table table("versions", {"function", "version", "time_ms", "billion_flags_per_s"});
    const auto row = [&](const char* function, const std::string& version, double ms) {
        table.row(function, version, ms, 1e-6 * kTimedItems * (target + 1.0) / ms);
    };
    for (const Version& version : versions()) {
        row("subset_sum", version.name(),
            time_ms<subset_sum>(version, items, out, scratch, kTimedItems, target));
    }
    for (const Version& version : other_versions()) {
        row("subset_sum", version.name(),
            time_ms<subset_sum>(version, items, out, scratch, kTimedItems, target));
    }
    for (const Version& version : versions()) {
        row("subset_sum_bits", version.name(),
            time_ms<subset_sum_bits>(version, items, out, scratch, kTimedItems, target));
    }
}
