// Grader of lab 14: what compact_any, compact_stable and append must leave behind, for 10 points.
//
// Where any order is right, expected elements are put into the order of the result before both are
// compared: what agrees stands in its place, what is missing in the places that are left.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "check/check.h"
#include "mistakes.h"
#include "oracle.h"
#include "stream_compaction.h"

using namespace lab;

namespace {

/// Checks on the virtual GPU that kernels did the work. A GPU reports no launches.
template <class Call>
void check_uses_the_device(const Call& call, long long elements, const std::string& what) {
    if (!on_vgpu() || elements < 2) return;
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << elements << " " << what << ": the work must be done on the device");
    CHECK(executed_for_each(call.launches(), elements));
}

template <auto* Function>
constexpr bool kInOrder = std::is_same_v<decltype(Function), decltype(&compact_stable)>;

template <auto* Function>
auto compact(const Floats& a) {
    const int n = static_cast<int>(a.size());
    if constexpr (kInOrder<Function>) {
        return submission().call<Function>(a, scratch, out, out, n);
    } else {
        return submission().call<Function>(a, out, out, n);
    }
}

template <auto* Function>
void check_kept(const Floats& a) {
    constexpr std::size_t kKept = kInOrder<Function> ? 2 : 1, kCount = kKept + 1;
    const Floats right = kept_of(a);
    const auto call = compact<Function>(a);
    const auto count = call.template output<kCount>();
    const int expected_count = static_cast<int>(right.size());
    CHECK_THAT(count,
               equals(std::vector{expected_count})
                   .or_diagnose(nothing_written)
                   .or_diagnose([&](const Evidence&) { return mistake_of_count(a, count[0]); }));
    if (count[0] != expected_count) return;
    const auto kept = call.template output<kKept>();
    Floats expected = right;
    // What was never written is NaN.
    expected.resize(a.size(), std::numeric_limits<float>::quiet_NaN());
    const auto mistake = [&](const Evidence&) {
        return mistake_of_kept(a, kept, right.size(), kInOrder<Function>);
    };
    if constexpr (kInOrder<Function>) {
        CHECK_THAT(kept, equals(expected).or_diagnose(mistake));
    } else {
        CHECK_THAT(in_any_order(kept),
                   equals(arranged(expected, kept.values())).or_diagnose(mistake));
    }
    check_uses_the_device(call, static_cast<long long>(a.size()), "elements");
}

struct Case {
    int n;
    Data data;
};

/// Sizes around those of warps, blocks and tiles, with the data that show most there.
std::vector<Case> cases() {
    return {{3000, Data::half},
            {1000, Data::runs},
            {1000, Data::sparse},
            {1000, Data::none},
            {1000, Data::unusual},
            {31, Data::half},
            {32, Data::all},
            {33, Data::half},
            {1, Data::all},
            {1, Data::none},
            {2, Data::last},
            {0, Data::half},
            {255, Data::last},
            {256, Data::half},
            {257, Data::last},
            {2047, Data::last},
            {2048, Data::all},
            {2049, Data::last},
            {4096, Data::first},
            {4097, Data::all},
            {20'000, Data::runs},
            {100'003, Data::half},
            {100'003, Data::none},
            {100'003, Data::sparse},
            {random_int(1'100, 50'000), Data::unusual}};
}

template <auto* Function>
void check_case(const Case& c) {
    twice([&] { check_kept<Function>(elements(c.n, c.data)); });
}

/// On a GPU 268 MB are read: over four times the L2 of an H200, and about 0.1 ms there.
constexpr SpeedSizes kSizes{.gpu = (1 << 26) + 3, .vgpu = (1 << 21) + 3};

template <auto* Function>
SpeedTest time_compaction() {
    const auto right = [](const Floats& a, auto...) {
        Floats kept = kept_of(a);
        const std::vector count{static_cast<int>(kept.size())};
        return std::tuple(Begins(std::move(kept), kInOrder<Function>), equals(count));
    };
    if constexpr (kInOrder<Function>) {
        return time_against_reference<Function>(
            kSizes, [](int n) { return std::tuple(elements(n, Data::half), scratch, out, out, n); },
            right);
    } else {
        return time_against_reference<Function>(
            kSizes, [](int n) { return std::tuple(elements(n, Data::half), out, out, n); }, right);
    }
}

/// At most as many warps may have reserved slots. A GPU reports no launches: there, as many as jobs
/// make values.
template <class Call>
long long warps_with_slots(const Call& call, const Entries& values) {
    long long jobs = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i == 0 || values[i].job != values[i - 1].job) ++jobs;
    }
    if (!on_vgpu()) return jobs;
    long long warps = 0;
    for (const LaunchRecord& launch : call.launches()) {
        warps += static_cast<long long>(launch.blocks() * ((launch.threads_per_block() + 31) / 32));
    }
    return std::min(jobs, warps);
}

void check_append(const std::vector<int>& numbers, int capacity) {
    const int jobs = static_cast<int>(numbers.size());
    const Entries values = factors_of(numbers);
    const int expected_made = static_cast<int>(values.size());
    const auto call = submission().call<append>(numbers, out, out, out, jobs, capacity);
    const auto made = call.output<2>();
    const auto reserved = call.output<3>();
    const auto entries = with_unwritten(call.output<1>());
    CHECK_THAT(made, equals(std::vector{expected_made})
                         .or_diagnose(nothing_written)
                         .or_diagnose([&](const Evidence&) {
                             return mistake_of_made(values, entries.values(), made[0], reserved[0]);
                         }));
    if (made[0] != expected_made) return;
    // Several numbers are right. If this one is not, the nearest that is large enough is expected.
    const auto mistake =
        mistake_of_reserved(reserved[0], expected_made, warps_with_slots(call, values));
    const int least = (expected_made + kRange - 1) / kRange * kRange;
    CHECK_THAT(reserved, equals(std::vector{mistake ? least : reserved[0]})
                             .or_diagnose(nothing_written)
                             .or_diagnose([&](const Evidence&) { return mistake; }));
    if (mistake) return;
    CHECK_THAT(entries, equals(expected_entries(entries.values(), values, reserved[0]))
                            .or_diagnose([&](const Evidence&) {
                                return mistake_of_entries(entries.values(), values, reserved[0],
                                                          jobs);
                            }));
    const std::optional<std::string> unused = unused_range(entries.values(), reserved[0]);
    INFO(unused.value_or(""));
    CHECK(!unused);
    check_uses_the_device(call, jobs, "numbers");
}

struct Jobs {
    int jobs;
    Work work;
};

/// Enough for whatever warps reserve.
int ample(const std::vector<int>& numbers) {
    return static_cast<int>(factors_of(numbers).size()) + kRange * 400;
}

}  // namespace

TEST_CASE("compact_any: every kept element, once", "[correctness][task:1][points:2][id:any]") {
    check_case<compact_any>(GENERATE(from_range(cases())));
}

TEST_CASE("compact_any: at least 0.2x the reference", "[speed][task:2][points:2][needs:any]") {
    const auto speed = time_compaction<compact_any>();
    CHECK_THAT(speed, at_least(0.2));
}

// More than 2048 tiles: a scan by one block has looked at one or two for each of its threads.
constexpr int kManyTiles = 4'200'003;

TEST_CASE("compact_stable: the kept elements, in order",
          "[correctness][task:3][points:2][id:stable]") {
    std::vector<Case> all = cases();
    all.push_back({kManyTiles, Data::half});
    check_case<compact_stable>(GENERATE_COPY(from_range(all)));
}

TEST_CASE("compact_stable: at least 0.1x the reference",
          "[speed][task:3][points:1][needs:stable]") {
    const auto speed = time_compaction<compact_stable>();
    CHECK_THAT(speed, at_least(0.1));
}

TEST_CASE("append: every value of every job", "[correctness][task:4][points:2][id:append]") {
    const auto c = GENERATE_COPY(values<Jobs>({{1000, Work::mixed},
                                               {256, Work::many},
                                               {2000, Work::uneven},
                                               {1900, Work::uneven},
                                               {2040, Work::uneven},
                                               {1800, Work::uneven},
                                               {100, Work::nothing},
                                               {1, Work::many},
                                               {0, Work::mixed},
                                               {32, Work::pairs},
                                               {31, Work::mixed},
                                               {33, Work::many},
                                               {257, Work::mixed},
                                               {5'000, Work::mixed},
                                               {random_int(300, 3'000), Work::mixed}}));
    twice([&] {
        const auto numbers = numbers_for(c.jobs, c.work);
        check_append(numbers, ample(numbers));
    });
}

TEST_CASE("append: a full array", "[correctness][task:4][points:1][needs:append]") {
    // Of the values: half, a few, all but one, none.
    const int which = GENERATE(range(0, 8));
    twice([&] {
        const auto numbers = numbers_for(1000, which % 2 == 0 ? Work::mixed : Work::many);
        const int made = static_cast<int>(factors_of(numbers).size());
        const int capacities[] = {made / 2, 64, made - 1, 0, 1, made, 63, 1000};
        check_append(numbers, capacities[which]);
    });
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 14) and benchmarks (./lab bench 14), drawn by the scripts of the same
// names in figures/.

namespace {

/// A row for each place of `kept`: which element of `a` it holds (-1: none of those), and whether
/// that is right.
void draw_kept(Table& table, const std::string& name, int first_row, const Floats& a,
               const Output<float>& kept, bool in_order) {
    std::map<float, int> indices;
    for (std::size_t i = 0; i < a.size(); ++i) indices[a[i]] = static_cast<int>(i);
    const Floats right = kept_of(a);
    std::vector<bool> seen(a.size());
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const int row = first_row + static_cast<int>(k / 32);
        if (kept.untouched(k)) {
            table.row(name, row, k % 32, -1, k < right.size() ? "missing" : "none");
            continue;
        }
        const auto found = indices.find(kept[k]);
        const int index = found == indices.end() ? -1 : found->second;
        bool is_right = index >= 0 && kept[k] > 0 && k < right.size();
        if (is_right) {
            is_right = !seen[static_cast<std::size_t>(index)] && (!in_order || kept[k] == right[k]);
            seen[static_cast<std::size_t>(index)] = true;
        }
        table.row(name, row, k % 32, index, is_right ? "right" : "wrong");
    }
}

double gb_per_s(const Floats& a, double time_ms) {
    return 4e-6 * static_cast<double>(a.size() + kept_of(a).size()) / time_ms;
}

}  // namespace

TEST_CASE("picture: places", "[.][picture]") {
    const Floats a = elements(96, Data::half);
    Table table("places", {"what", "row", "column", "index", "state"});
    for (std::size_t i = 0; i < a.size(); ++i) {
        table.row("a", i / 32, i % 32, i, a[i] > 0 ? "kept" : "other");
    }
    draw_kept(table, "compact_any", 5, a, compact<compact_any>(a).output<1>(), false);
    draw_kept(table, "compact_stable", 10, a, compact<compact_stable>(a).output<2>(), true);
}

TEST_CASE("picture: slots", "[.][picture]") {
    constexpr int kSlots = 14 * kRange;
    // So much work for each that all warps get some of it; see Work::uneven.
    const auto numbers = random_ints(160, 500'000'000, 999'999'999);
    const Entries values = factors_of(numbers);
    const auto call = submission().call<append>(numbers, out, out, out, 160, kSlots);
    const int reserved = call.output<3>()[0];
    const Entries got = with_unwritten(call.output<1>()).values();
    const Entries expected = expected_entries(got, values, reserved);
    // Numbers, as a terminal shades them: not reserved, kEmpty, a value, wrong, nothing written.
    enum : int { none, gap, filled, wrong, missing };
    Table table("slots", {"row", "column", "kind"});
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool is_right = got[i] == expected[i];
        table.row(i / kRange, i % kRange,
                  got[i] == kNotWritten ? (is_right ? none : missing)
                  : !is_right           ? wrong
                  : got[i] == kEmpty    ? gap
                                        : filled);
    }
}

TEST_CASE("bench: functions", "[.][bench]") {
    check_kept<compact_any>(elements(3000, Data::half));  // reports a wrong program, not its time
    check_kept<compact_stable>(elements(3000, Data::half));
    const int n = speed_size(1 << 26, 1 << 21);
    const Floats a = elements(n, Data::half);
    Table table("functions", {"function", "version", "time_ms", "gb_per_s"});
    const auto row = [&](const char* function, const Version& version, double ms) {
        table.row(function, version.name(), ms, gb_per_s(a, ms));
    };
    for (const Version& version : versions()) {
        row("compact_any", version, time_ms<compact_any>(version, a, out, out, n));
    }
    for (const Version& version : other_versions()) {
        row("compact_any", version, time_ms<compact_any>(version, a, out, out, n));
    }
    for (const Version& version : versions()) {
        row("compact_stable", version, time_ms<compact_stable>(version, a, scratch, out, out, n));
    }
    for (const Version& version : other_versions()) {
        row("compact_stable", version, time_ms<compact_stable>(version, a, scratch, out, out, n));
    }
}
