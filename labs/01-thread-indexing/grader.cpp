// Grader of lab 01: what each of the four functions must write, for 10 points.
//
// Each test begins with a size at which a mistake shows its face: the first failure is explained.

#include <algorithm>
#include <numeric>
#include <ostream>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "thread_indexing.h"

using namespace lab;

static bool operator==(const Index3& a, const Index3& b) {
    return a.i == b.i && a.j == b.j && a.k == b.k;
}
static std::ostream& operator<<(std::ostream& os, const Index3& at) {
    return os << "{i " << at.i << ", j " << at.j << ", k " << at.k << "}";
}
static bool operator==(const ThreadRecord& a, const ThreadRecord& b) {
    return std::tie(a.block, a.thread, a.warp, a.lane) ==
           std::tie(b.block, b.thread, b.warp, b.lane);
}
static std::ostream& operator<<(std::ostream& os, const ThreadRecord& r) {
    return os << "{block " << r.block << ", thread " << r.thread << ", warp " << r.warp << ", lane "
              << r.lane << "}";
}

namespace {

/// {element(0), element(1), ..., element(count - 1)}.
template <class F>
auto each_index(int count, F element) {
    std::vector<decltype(element(0))> values;
    values.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) values.push_back(element(i));
    return values;
}

std::vector<int> cpu_ids(int n) {
    std::vector<int> ids(static_cast<std::size_t>(n));
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

void check_global_ids(int n, int threads_per_block) {
    const auto call = submission().call<global_ids>(out, n, threads_per_block);
    CHECK_THAT(call.output(),
               equals(cpu_ids(n))
                   .or_looks_like(each_index(n, [&](int i) { return i % threads_per_block; }),
                                  "Each value is the thread's number inside its block: the id in "
                                  "the grid also counts the blocks before it.")
                   .or_looks_like(each_index(n, [](int i) { return i + 1; }),
                                  "Each value is 1 too large: ids start at 0.")
                   .or_diagnose(indexing_mistakes));
}

}  // namespace

TEST_CASE("global_ids: one block is enough", "[correctness][task:1][points:1]") {
    const auto [n, threads_per_block] = GENERATE(table<int, int>(
        {{100, 128}, {1000, 1024}, {255, 256}, {33, 64}, {32, 32}, {31, 32}, {1, 32}, {1, 1}}));
    check_global_ids(n, threads_per_block);
}

TEST_CASE("global_ids: any n and any block size", "[correctness][task:1][points:1][id:ids]") {
    const int n = GENERATE(1000, 255, 256, 257, 1023, 1024, 1025, 33, 32, 1, 70'001,
                           random_int(1'100, 100'000));
    const int threads_per_block = GENERATE(256, 100, 32, 1024, 1, random_int(2, 1'023));
    twice([&] { check_global_ids(n, threads_per_block); });
}

TEST_CASE("global_ids: no elements, no launch error", "[robustness][task:1][points:1][needs:ids]") {
    check_global_ids(0, 256);  // the call fails the test if it leaves a CUDA error behind
}

TEST_CASE("grid_stride_ids: every element has its owner", "[correctness][task:2][points:2]") {
    const int n = GENERATE(1000, 63, 64, 65, 4096, 10'007, 1, 0, random_int(1'100, 30'000));
    const auto [blocks, threads_per_block] =
        GENERATE(table<int, int>({{3, 100}, {2, 32}, {1, 64}, {7, 256}, {13, 1024}, {1, 1}}));
    const int threads = blocks * threads_per_block;
    const auto expected = each_index(n, [&](int i) { return i % threads; });
    const int share = (n + threads - 1) / threads;
    twice([&] {
        const auto call = submission().call<grid_stride_ids>(out, n, blocks, threads_per_block);
        CHECK_THAT(call.output(),
                   equals(expected)
                       .or_looks_like(cpu_ids(n),
                                      "Each value is the element's own index: store the id of the "
                                      "thread that handles it.")
                       .or_looks_like(each_index(n, [&](int i) { return i % threads_per_block; }),
                                      "Each value is a number inside a block: the id in the grid "
                                      "also counts the blocks before it.")
                       .or_looks_like(each_index(n, [&](int i) { return i / share; }),
                                      "Each thread handled a run of consecutive elements: it must "
                                      "jump by the number of threads in the grid.")
                       .or_diagnose(indexing_mistakes));
    });
}

TEST_CASE("unfold_3d: every element knows its place", "[correctness][task:3][points:2]") {
    // Different and prime lengths, so that no mix-up of axes or strides can be right by chance.
    const auto [I, J, K] = GENERATE(
        table<int, int, int>({{5, 31, 67},
                              {67, 5, 31},
                              {31, 67, 5},
                              {7, 5, 3},
                              {2, 3, 5},
                              {41, 1, 1},
                              {1, 53, 1},
                              {1, 1, 97},
                              {1, 1, 1},
                              {0, 5, 7},
                              {5, 0, 7},
                              {5, 7, 0},
                              {random_int(2, 40), random_int(41, 60), random_int(61, 80)}}));
    // Element `place` of an array whose axes have these lengths, the last one running fastest.
    struct Axes {
        int middle, last;
        Index3 at(int place) const {
            return {place / (middle * last), place / last % middle, place % last};
        }
    };
    const int count = I * J * K;
    const auto array = [&](Axes axes, auto name) {
        return each_index(count, [&](int place) { return name(axes.at(place)); });
    };
    twice([&] {
        const auto call = submission().call<unfold_3d>(out, I, J, K);
        CHECK_THAT(
            call.output(),
            equals(array({J, K}, [](Index3 at) { return at; }))
                .or_looks_like(
                    array({J, I},
                          [](Index3 at) {
                              return Index3{at.k, at.j, at.i};
                          }),
                    "The array is filled as if i ran fastest: in row-major order k does.")
                .or_looks_like(array({K, J},
                                     [](Index3 at) {
                                         return Index3{at.i, at.k, at.j};
                                     }),
                               "In memory j and k have swapped places: a step of j jumps over K "
                               "elements, a step of k over 1.")
                .or_looks_like(
                    array({J, K},
                          [](Index3 at) {
                              return Index3{at.k, at.j, at.i};
                          }),
                    "The place in memory is right, but i and k are swapped in the value.")
                .or_diagnose(indexing_mistakes));
    });
}

TEST_CASE("who_am_i: block, thread, warp and lane", "[correctness][task:4][points:2]") {
    const auto [blocks, threads_per_block] =
        GENERATE(table<int, int>({{3, 70},
                                  {2, 64},
                                  {5, 31},
                                  {4, 256},
                                  {2, 1000},
                                  {3, 1024},
                                  {1, 33},
                                  {1, 32},
                                  {1, 1},
                                  {random_int(2, 20), random_int(65, 1'023)}}));
    const int count = blocks * threads_per_block;
    twice([&] {
        const auto record = [&](auto warp_and_lane_of) {
            return each_index(count, [&](int id) {
                const int block = id / threads_per_block, thread = id % threads_per_block;
                const auto [warp, lane] = warp_and_lane_of(id, thread);
                return ThreadRecord{block, thread, warp, lane};
            });
        };
        const auto call = submission().call<who_am_i>(out, blocks, threads_per_block);
        CHECK_THAT(
            call.output(),
            equals(record([](int, int thread) { return std::pair(thread / 32, thread % 32); }))
                .or_looks_like(record([](int id, int) { return std::pair(id / 32, id % 32); }),
                               "Warp and lane are counted through the whole grid: every block "
                               "starts again with lane 0 of warp 0.")
                .or_looks_like(
                    record([](int, int thread) { return std::pair(thread % 32, thread / 32); }),
                    "Warp and lane are swapped.")
                .or_diagnose(indexing_mistakes));
    });
}

TEST_CASE("global_ids: at least 0.35x the reference", "[speed][task:1][points:1][needs:ids]") {
    // On a GPU 268 MB: over four times the L2 of an H200, and about 0.16 ms there.
    const int n = race_size((1 << 26) + 3, 1 << 20);
    const auto race = race_against_reference<global_ids>(
        [](auto, int count, auto...) { return equals(cpu_ids(count)); }, out, n, 256);
    CHECK_THAT(race, at_least(0.35));
}
