// Grader of lab 12: which element argmax_block, argmax and argmax_packed must find, for 10 points.
//
// The answer is exact: one element is the best, by the contract. So what matters is the data. Each
// kind of data (best.h) shows other mistakes, and the first case of a test is one that tells them
// apart.

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "argmax.h"
#include "best.h"
#include "check/check.h"
#include "mistakes.h"

using namespace lab;

namespace {

template <auto* Function>
constexpr bool kHasScratch = !std::is_same_v<decltype(Function), decltype(&argmax_block)>;

/// A call on `a`, whose scratch memory, if the function has any, the contract describes.
template <auto* Function>
auto call_with(const Floats& a) {
    const int n = static_cast<int>(a.size());
    if constexpr (kHasScratch<Function>) {
        return submission().call<Function>(a, scratch, out, n);
    } else {
        return submission().call<Function>(a, out, n);
    }
}

/// Checks on the virtual GPU that kernels did the work. A GPU reports no launches.
template <class Call>
void check_uses_the_device(const Call& call, int n) {
    if (!on_vgpu()) return;
    INFO("no kernel was launched, or its threads have done too little to have looked at all "
         << n << " elements: the maximum must be found on the device");
    CHECK(executed_for_each(call.launches(), n));
}

/// Checks on the virtual GPU that argmax_block has no more than one.
template <class Call>
void check_is_one_block(const Call& call) {
    if (!on_vgpu()) return;
    INFO("argmax_block launched more than one block: the contract asks for a search by one.");
    CHECK(std::ranges::all_of(call.launches(), [](const auto& l) { return l.blocks() == 1; }));
}

template <auto* Function>
void check_leaves_nothing_of(const char* name) {
    const Floats a = random_floats(3000);
    check_leaves_nothing(name, [&] { return call_with<Function>(a).leaked_bytes(); });
}

template <auto* Function>
void check_best(const Floats& a) {
    const auto call = call_with<Function>(a);
    CHECK_THAT(call.output(), equals(std::vector{cpu_argmax(a)})
                                  .or_diagnose(nothing_written)
                                  .or_diagnose([&](const Evidence& e) {
                                      return mistake_of(a, call.output()[0], e);
                                  }));
    const int n = static_cast<int>(a.size());
    if (n <= 1) return;  // a copy is enough for one
    check_uses_the_device(call, n);
    if constexpr (!kHasScratch<Function>) check_is_one_block(call);
}

struct Case {
    int n;
    Data data;
};

/// The last index is the first that no float holds, as in a float2 of value and index.
constexpr int kTooManyForFloat = (1 << 24) + 2;

template <auto* Function>
void check_case(const Case& c) {
    const auto once = [&] { check_best<Function>(elements(c.n, c.data)); };
    if (c.n == kTooManyForFloat) return once();  // it takes a second
    twice(once);
}

/// Sizes around those of warps and blocks, each with other data.
std::vector<Case> cases(int several_blocks, int many) {
    return {{3000, Data::decoys},
            {1000, Data::ties},
            {1000, Data::below_zero},
            {1000, Data::nans},
            {1000, Data::zeros},
            {300, Data::over_zeros},
            {300, Data::last_bit},
            {301, Data::last_bit},
            {257, Data::at_end},
            {256, Data::ties},
            {255, Data::below_zero},
            {33, Data::at_end},
            {32, Data::nans},
            {31, Data::ties},
            {2, Data::different},
            {2, Data::at_front},
            {1, Data::below_zero},
            {1, Data::all_lowest},
            {0, Data::different},
            {513, Data::all_lowest},
            {1023, Data::infinities},
            {1025, Data::one_nan},
            {several_blocks, Data::decoys},
            {several_blocks, Data::ties},
            {several_blocks, Data::all_equal},
            {several_blocks, Data::different},
            {several_blocks, Data::at_front},
            {many, Data::ties},
            {many, Data::nans},
            {many, Data::at_end},
            {random_int(1'100, 20'000), Data::subnormal},
            {random_int(1'100, 20'000), Data::different}};
}

/// On a GPU 268 MB: over four times the L2 of an H200, and about 0.08 ms there.
constexpr SpeedSizes kWholeGpu{.gpu = (1 << 26) + 3, .vgpu = (1 << 21) + 3};
/// One block reads at 1 in 500 of the memory's speed: 0.5 ms on an H200.
constexpr SpeedSizes kOneBlock{.gpu = (1 << 20) + 3, .vgpu = (1 << 15) + 3};

template <auto* Function>
SpeedTest time_search(SpeedSizes sizes) {
    const auto right = [](const Floats& a, auto...) { return equals(std::vector{cpu_argmax(a)}); };
    if constexpr (kHasScratch<Function>) {
        return time_against_reference<Function>(
            sizes, [](int n) { return std::tuple(random_floats(n), scratch, out, n); }, right);
    } else {
        return time_against_reference<Function>(
            sizes, [](int n) { return std::tuple(random_floats(n), out, n); }, right);
    }
}

}  // namespace

TEST_CASE("argmax_block: which of two wins", "[correctness][task:1][points:2]") {
    const auto [n, data] = GENERATE_COPY(values<Case>({{20, Data::different},
                                                       {20, Data::below_zero},
                                                       {20, Data::at_front},
                                                       {21, Data::at_end},
                                                       {20, Data::ties},
                                                       {20, Data::one_nan},
                                                       {20, Data::nans},
                                                       {20, Data::zeros},
                                                       {20, Data::all_lowest},
                                                       {20, Data::infinities},
                                                       {20, Data::all_nans},
                                                       {20, Data::subnormal},
                                                       {1, Data::one_nan},
                                                       {0, Data::different},
                                                       {random_int(5, 30), Data::ties}}));
    check_case<argmax_block>({n, data});
}

TEST_CASE("argmax_block: any number of elements", "[correctness][task:2][points:1][id:block]") {
    check_case<argmax_block>(GENERATE(from_range(cases(2'500, 10'007))));
}

TEST_CASE("argmax_block: at least 0.05x the reference", "[speed][task:2][points:1][needs:block]") {
    const auto speed = time_search<argmax_block>(kOneBlock);
    CHECK_THAT(speed, at_least(0.05));
}

// More elements than a GPU has threads at once, so that each thread looks at several.
constexpr int kMany = 600'011;

TEST_CASE("argmax: any number of elements", "[correctness][task:3][points:2][id:argmax]") {
    std::vector<Case> all = cases(100'003, kMany);
    all.push_back({kTooManyForFloat, Data::at_end});
    const Case c = GENERATE_COPY(from_range(all));
    check_case<argmax>(c);
    if (c.n == 0) check_leaves_nothing_of<argmax>("argmax");
}

TEST_CASE("argmax: at least 0.1x the reference", "[speed][task:3][points:1][needs:argmax]") {
    const auto speed = time_search<argmax>(kWholeGpu);
    CHECK_THAT(speed, at_least(0.1));
}

TEST_CASE("argmax_packed: any number of elements", "[correctness][task:4][points:2][id:packed]") {
    const Case c = GENERATE(from_range(cases(100'003, kMany)));
    check_case<argmax_packed>(c);
    if (c.n == 0) check_leaves_nothing_of<argmax_packed>("argmax_packed");
}

TEST_CASE("argmax_packed: at least 0.1x the reference", "[speed][task:4][points:1][needs:packed]") {
    const auto speed = time_search<argmax_packed>(kWholeGpu);
    CHECK_THAT(speed, at_least(0.1));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 12) and benchmarks (./lab bench 12), drawn by the scripts of the same
// names in figures/.

namespace {

/// For each place of a vector: is the largest element found when it stands there?
template <auto* Function>
void draw_found(const std::string& name) {
    constexpr int kN = 320, kColumns = 32;
    Table table(name, {"row", "column", "value_found", "index_found"});
    Floats a = random_floats(kN);
    for (int i = 0; i < kN; ++i) {
        const auto place = static_cast<std::size_t>(i);
        const float before = a[place];
        a[place] = 1.5F;
        const auto call = call_with<Function>(a);
        const Best best = call.output()[0];
        table.row(i / kColumns, i % kColumns, best.value == 1.5F ? 1 : 0, best.index == i ? 1 : 0);
        a[place] = before;
    }
}

double gb_per_s(int n, double time_ms) {
    return 4e-6 * n / time_ms;
}

}  // namespace

TEST_CASE("picture: argmax_block", "[.][picture]") {
    draw_found<argmax_block>("argmax_block");
}

TEST_CASE("picture: argmax", "[.][picture]") {
    draw_found<argmax>("argmax");
}

TEST_CASE("bench: functions", "[.][bench]") {
    check_best<argmax>(
        elements(1000, Data::different));  // reports a wrong program before timing it
    check_best<argmax_packed>(elements(1000, Data::different));
    const int n = speed_size(1 << 26, 1 << 21);
    const Floats a = random_floats(n);
    Table table("functions", {"function", "version", "time_ms", "gb_per_s"});
    for (const Version& version : versions()) {
        const double two_steps_ms = time_ms<argmax>(version, a, scratch, out, n);
        table.row("argmax", version.name(), two_steps_ms, gb_per_s(n, two_steps_ms));
        const double packed_ms = time_ms<argmax_packed>(version, a, scratch, out, n);
        table.row("argmax_packed", version.name(), packed_ms, gb_per_s(n, packed_ms));
    }
    for (const Version& version : other_versions()) {
        const double ms = time_ms<argmax>(version, a, scratch, out, n);
        table.row("argmax", version.name(), ms, gb_per_s(n, ms));
    }
}

TEST_CASE("bench: bandwidth", "[.][bench]") {
    check_best<argmax>(elements(1000, Data::different));
    Table table("bandwidth", {"n", "version", "time_ms", "gb_per_s"});
    for (int n = 1 << 10; n <= speed_size(1 << 26, 1 << 21); n *= 4) {
        const Floats a = random_floats(n);
        for (const Version& version : versions()) {
            const double ms = time_ms<argmax>(version, a, scratch, out, n);
            table.row(n, version.name(), ms, gb_per_s(n, ms));
        }
    }
}
