// Recognisers that labs share: each says its sentence, and stays silent about a lookalike.

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "check/mistakes/narrow.h"
#include "check/mistakes/patterns.h"
#include "check/mistakes/promises.h"
#include "check/mistakes/reductions.h"
#include "check/mistakes/stores.h"
#include "check/mistakes/trees.h"

using namespace lab;

namespace {

/// 'r': right, '-': never written, 'w': wrong.
Evidence evidence(const std::string& elements) {
    Evidence e;
    for (const char c : elements) {
        e.right.push_back(c == 'r');
        e.untouched.push_back(c == '-');
    }
    return e;
}

}  // namespace

TEST_CASE("mistakes: right elements in one place only, unwritten ones elsewhere") {
    CHECK(right_only_up_to(evidence("rrr--"), 3));
    CHECK_FALSE(right_only_up_to(evidence("rrr--"), 2));
    CHECK_FALSE(right_only_up_to(evidence("rr---"), 3));
    CHECK_FALSE(right_only_up_to(evidence("rrrw-"), 3));
    CHECK(right_only_where(evidence("r-r-"), [](std::size_t i) { return i % 2 == 0; }));
    CHECK(right_where_written(evidence("-r--r")));
    CHECK_FALSE(right_where_written(evidence("-r-wr")));
    CHECK(others_are_right(evidence("rrw"), 2));
    CHECK_FALSE(others_are_right(evidence("-rw"), 2));
}

TEST_CASE("mistakes: the first or the last element was left out of a reduction") {
    const auto said = [](std::size_t n, std::size_t begin, std::size_t end) {
        return end_left_out(n, [=](auto b, auto e) { return b == begin && e == end; }).value_or("");
    };
    CHECK(said(9, 0, 8) == "The last element was left out: a bound is 1 too low.");
    CHECK(said(9, 1, 9) == "The first element was left out.");
    CHECK(said(9, 0, 7) == "");
    CHECK(said(1, 0, 0) == "");
}

TEST_CASE("mistakes: distances of a tree that change wrongly") {
    const int threads = 64;
    std::vector<double> values(threads);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i + 1);
    const auto said = [&](int first, const NextHalf& next) {
        const double sum = behind_tree(values, first, next)[0];
        return wrong_distances(threads,
                               [&](int half, const NextHalf& then) {
                                   return behind_tree(values, half, then)[0] == sum;
                               })
            .value_or("");
    };
    CHECK(said(32, [](int h) { return h / 4; }) ==
          "half becomes a quarter from round to round, so every second round is missing.");
    CHECK(said(32, [](int h) { return h - 1; }) ==
          "half becomes 1 less from round to round, so numbers are added many times.");
    CHECK(said(1, [](int h) { return 2 * h < 64 ? 2 * h : 0; }) ==
          "half grows from round to round, 1, 2, 4, but the condition is that of a tree whose half "
          "shrinks. Most numbers are left out.");
    CHECK(said(32, halved) == "");
    CHECK(said(16, halved) == "");
}

TEST_CASE("mistakes: elements that several threads store") {
    LaunchRecord launch;
    launch.grid = {4, 1, 1};
    launch.block = {256, 1, 1};
    const auto said = [&](std::uint64_t stored) {
        return stored_too_often({launch}, stored, 1000, "sum");
    };
    CHECK(
        said(1000 * 1024) ==
        "Each sum is stored by all 1024 threads: each of them goes through all elements, but each "
        "thread must store only its own.");
    CHECK(said(4000) ==
          "Each sum is stored 4 times, once in each of 4 blocks: every block goes through all "
          "elements, but each thread must store only its own. Is blockIdx missing from the index?");
    CHECK(
        said(3000) ==
        "The threads stored 3000 sums for 1000 elements, but each thread must store only its own. "
        "Does each of them loop over elements of other threads?");
}

TEST_CASE("mistakes: counters of 8 and 16 bits") {
    using Numbers = std::vector<double>;
    const auto said = [](const Numbers& expected, const Numbers& got) {
        Evidence e = evidence(std::string(expected.size(), 'w'));
        e.expected = [&](std::size_t i) { return expected[i]; };
        e.got = [&](std::size_t i) { return got[i]; };
        return narrow_counters(e).value_or("");
    };
    CHECK(said({300, 7, 256}, {44, 7, 0}) ==
          "The numbers begin again at 256: they are kept in 8 bits somewhere.");
    CHECK(said({200, 7, -129}, {-56, 7, 127}) ==
          "The numbers begin again at 256: they are kept in 8 bits somewhere.");
    CHECK(said({70'000, 7}, {70'000 - 65'536, 7}) ==
          "The numbers begin again at 65536: they are kept in 16 bits somewhere.");
    CHECK(said({1000, 700, 9}, {488, 444, 9}) ==
          "Each wrong number is a multiple of 256 too low: counters of 8 bits begin again there.");
    const std::string shared =
        "Counters of 16 bits share an int, and one that was full has carried into the next. The "
        "most "
        "that a block may count is 65535.";
    CHECK(said({200'000, 5, 1}, {200'000 - 2 * 65'536, 7, 1}) == shared);
    CHECK(said({1, 200'000}, {1, 200'000 - 65'536}) != "");
    CHECK(said({200'000, 5}, {200'000 - 2 * 65'536, 6}) == "");
    CHECK(said({300, 7}, {43, 7}) == "");
    CHECK(said({300, 7}, {556, 7}) == "");
}

TEST_CASE("mistakes: a promise on the host function, where no loads are") {
    const std::string host = "void f(float* __restrict__ a) { k<<<1, 1>>>(a); }";
    CHECK(promises_on_host_only("__global__ void k(float* a) { *a = 1; }\n" + host));
    CHECK(promises_on_host_only("__global__ void __launch_bounds__(256) k(float* a) {}\n" + host));
    CHECK_FALSE(promises_on_host_only("__global__ void k(float* __restrict__ a) {}\n" + host));
    CHECK_FALSE(promises_on_host_only(
        "__global__ void __launch_bounds__(256) k(float* __restrict a) {}\n" + host));
    CHECK_FALSE(promises_on_host_only("__device__ void d(float* __restrict__ a);\n" + host));
    CHECK_FALSE(promises_on_host_only("__global__ void k(float* a) {}  // __restrict__"));
}
