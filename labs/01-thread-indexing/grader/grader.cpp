// Grader of lab 01: what each of the four functions must write, for 10 points.
//
// Only the first failure is explained, so each test begins with a size that tells mistakes apart.

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "check/check.h"
#include "launches.h"
#include "mistakes.h"
#include "thread_indexing.h"
#include "writers.h"

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

/// Where whole warps have something to store, they are to do so together. Four ids at once are the
/// most that a thread stores.
constexpr int kWarp = 32;
constexpr std::size_t kAtOnceBytes = 4 * sizeof(int);

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

void check_global_ids(int n, int threads_per_block, bool any_block_size = false) {
    const WritersScope scope(n <= kMostWithWriters);
    const auto call = submission().call<global_ids>(out, n, threads_per_block);
    CHECK_THAT(
        call.output(),
        equals(cpu_ids(n))
            .or_looks_like(each_index(n, [&](int i) { return i % threads_per_block; }),
                           "Each value is the thread's number inside its block. The id in the grid "
                           "also counts the threads of the blocks before.")
            .or_looks_like(each_index(n, [](int) { return 0; }),
                           "Each value is 0, for all threads alike.")
            .or_looks_like(each_index(n, [&](int i) { return i / threads_per_block; }),
                           "Each value is the number of the thread's block, not of the "
                           "thread in the grid.")
            .or_looks_like(each_index(n, [](int i) { return i + 1; }),
                           "Each value is 1 too large: ids start at 0.")
            .or_looks_like(each_index(n, [&](int i) { return n - 1 - i; }),
                           "The ids are in reverse order.")
            .or_looks_like(each_index(n, [&](int) { return n; }),
                           "Each value is n, the number of elements, not the thread's own id.")
            .or_diagnose(indexing_mistakes));
    if (!on_vgpu() || n == 0) return;
    check_own_threads(call.launches(), n, sizeof(int), "id");
    check_not_swapped(call.launches(), n, threads_per_block);
    // A thread may also store several ids one after the other: slow, but not the work of a warp.
    if (n > 8 * kWarp && threads_per_block >= kWarp) {
        check_shared_out(call.launches(), kAtOnceBytes);
    }
    check_writers_in_order(call.output().writers(), call.launches());
    // Only where one block is not enough: a block that is too long is an error, which says more.
    constexpr int kLongestBlock = 1024;
    if (any_block_size && n > kLongestBlock) check_block_size(call.launches(), threads_per_block);
    if (any_block_size) check_no_block_too_many(call.launches(), n, threads_per_block);
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
    twice([&] { check_global_ids(n, threads_per_block, true); });
}

TEST_CASE("global_ids: no elements, no launch error", "[robustness][task:1][points:1][needs:ids]") {
    // The call fails the test if it leaves a CUDA error behind. Formulas for the number of blocks
    // may give 0, an error, for blocks of one thread only.
    const int threads_per_block = GENERATE(256, 1);
    check_global_ids(0, threads_per_block);
}

TEST_CASE("grid_stride_ids: every element has its owner", "[correctness][task:2][points:2]") {
    const int n = GENERATE(1000, 63, 64, 65, 4096, 10'007, 70'001, 1, 0, random_int(1'100, 30'000));
    const auto [blocks, threads_per_block] = GENERATE(
        table<int, int>({{3, 100}, {2, 32}, {1, 64}, {7, 256}, {13, 1024}, {1, 1}, {150, 32}}));
    const int threads = blocks * threads_per_block;
    const auto expected = each_index(n, [&](int i) { return i % threads; });
    const int share = (n + threads - 1) / threads;
    twice([&] {
        const WritersScope scope(n <= kMostWithWriters);
        const auto call = submission().call<grid_stride_ids>(out, n, blocks, threads_per_block);
        CHECK_THAT(call.output(),
                   equals(expected)
                       .or_looks_like(cpu_ids(n),
                                      "Each value is the element's own index, not the id of "
                                      "the thread that handles it.")
                       .or_looks_like(each_index(n, [&](int i) { return i % threads_per_block; }),
                                      "Each value is a number inside a block. The id in the grid "
                                      "also counts the threads of the blocks before.")
                       .or_looks_like(each_index(n, [&](int i) { return i / share; }),
                                      "Each thread handled a run of consecutive elements. By the "
                                      "contract, its elements are one whole grid apart.")
                       .or_looks_like(
                           each_index(n, [&](int i) { return i % threads / threads_per_block; }),
                           "Each value is the number of the thread's block, not the thread's "
                           "id in the grid.")
                       .or_diagnose([&](const Evidence& e) { return last_stride(e, threads); })
                       .or_diagnose([&](const Evidence& e) { return first_round_only(e, threads); })
                       .or_diagnose(
                           [&](const Evidence& e) { return place_and_value_exchanged(e, threads); })
                       .or_diagnose([&, b = blocks, t = threads_per_block](const Evidence& e) {
                           return same_in_all_blocks(e, b, t);
                       })
                       .or_diagnose(indexing_mistakes));
        if (!on_vgpu() || n == 0) return;
        check_own_threads(call.launches(), n, sizeof(int), "id");
        check_grid(call.launches(), blocks, threads_per_block);
        if (n > kWarp && threads_per_block >= kWarp) {
            check_shared_out(call.launches(), kAtOnceBytes);
        }
        check_writers_by_stride(call.output().writers(), threads);
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
                              {40'009, 1, 1},  // more than a short holds, along each axis
                              {1, 40'009, 1},
                              {1, 1, 40'009},
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
        const WritersScope scope(count <= kMostWithWriters);
        const auto call = submission().call<unfold_3d>(out, I, J, K);
        CHECK_THAT(call.output(),
                   equals(array({J, K}, [](Index3 at) { return at; }))
                       .or_looks_like(
                           array({J, I},
                                 [](Index3 at) {
                                     return Index3{at.k, at.j, at.i};
                                 }),
                           "The array is filled as if i ran fastest. In row-major order k does.")
                       .or_looks_like(
                           array({K, J},
                                 [](Index3 at) {
                                     return Index3{at.i, at.k, at.j};
                                 }),
                           "In memory j and k are swapped: a step of k should move by 1 element.")
                       .or_looks_like(
                           array({J, K},
                                 [](Index3 at) {
                                     return Index3{at.k, at.j, at.i};
                                 }),
                           "The place in memory is right, but i and k are swapped in the value.")
                       .or_diagnose([&](const Evidence& e) { return only_a_box(e, I, J, K); })
                       .or_diagnose([&](const Evidence& e) { return other_variables(e, I, J, K); })
                       .or_diagnose([&](const Evidence&) {
                           return other_order(call.output().values(), I, J, K);
                       })
                       .or_diagnose(indexing_mistakes));
        if (!on_vgpu() || count == 0) return;
        check_own_threads(call.launches(), count, sizeof(Index3), "place");
        check_thread_for_each(call.launches(), count);
        // Where every axis has two elements, so has the one that neighbouring threads lie along.
        if (std::min({I, J, K}) > 1) check_shared_out(call.launches(), sizeof(int));
        check_writers_of_places(call.output().writers(), call.launches());
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
                                  {130, 256},  // more than a short holds
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
        const WritersScope scope(count <= kMostWithWriters);
        const auto call = submission().call<who_am_i>(out, blocks, threads_per_block);
        const auto expected =
            record([](int, int thread) { return std::pair(thread / 32, thread % 32); });
        const auto records = call.output();
        CHECK_THAT(
            records,
            equals(record([](int, int thread) { return std::pair(thread / 32, thread % 32); }))
                .or_looks_like(record([](int id, int) { return std::pair(id / 32, id % 32); }),
                               "Warp and lane are counted through the whole grid, but every block "
                               "starts again with lane 0 of warp 0.")
                .or_looks_like(
                    record([](int, int thread) { return std::pair(thread % 32, thread / 32); }),
                    "Warp and lane are swapped.")
                .or_looks_like(
                    record([](int, int thread) { return std::pair(thread / 16, thread % 16); }),
                    "Warps of 16 threads: a warp has 32, which is warpSize.")
                .or_looks_like(
                    record([](int, int thread) { return std::pair(thread / 64, thread % 64); }),
                    "Warps of 64 threads: a warp has 32, which is warpSize.")
                .or_looks_like(
                    each_index(count,
                               [&](int id) {
                                   const ThreadRecord& r = expected[static_cast<std::size_t>(id)];
                                   return ThreadRecord{r.thread, r.block, r.warp, r.lane};
                               }),
                    "Block and thread are swapped. In which order does ThreadRecord have them?")
                .or_diagnose([&](const Evidence& e) {
                    const bool all = std::ranges::find(e.untouched, true) == e.untouched.end();
                    return all ? wrong_member(records.values(), expected) : std::nullopt;
                })
                .or_diagnose(indexing_mistakes));
        if (!on_vgpu()) return;
        check_own_threads(call.launches(), count, sizeof(ThreadRecord), "record");
        check_grid(call.launches(), blocks, threads_per_block);
        if (threads_per_block >= kWarp) check_shared_out(call.launches(), sizeof(ThreadRecord));
        check_writers_of_records(records.writers(), threads_per_block);
    });
}

TEST_CASE("global_ids: at least 0.35x the reference", "[speed][task:1][points:1][needs:ids]") {
    // On a GPU 268 MB: over four times the L2 of an H200, and about 0.16 ms there.
    const auto speed = time_against_reference<global_ids>(
        {.gpu = (1 << 26) + 3, .vgpu = (1 << 20) + 3},
        [](int n) { return std::tuple(out, n, 256); },
        [](auto, int n, auto...) { return equals(cpu_ids(n)); });
    CHECK_THAT(speed, at_least(0.35));
}

// ---------------------------------------------------------------------------
// Pictures (./lab picture 01): which thread wrote which element, the student's next to the
// expected. Each has a script of the same name in figures/.

namespace {

constexpr int kNobody = -1;

/// The id written at element i, and the block of the thread with that id, or kNobody.
struct Writer {
    int id = kNobody, block = kNobody;

    Writer(const Output<int>& ids, int i, int threads_per_block) {
        if (ids.untouched(static_cast<std::size_t>(i))) return;
        id = ids[static_cast<std::size_t>(i)];
        if (id >= 0) block = id / threads_per_block;
    }
};

}  // namespace

TEST_CASE("picture: global_ids", "[.][picture]") {
    const int n = 29, threads_per_block = 8;
    const auto ids = submission().call<global_ids>(out, n, threads_per_block).output();
    Table table("global_ids", {"element", "id", "block", "expected_id", "expected_block"});
    for (int i = 0; i < n; ++i) {
        const Writer writer(ids, i, threads_per_block);
        table.row(i, writer.id, writer.block, i, i / threads_per_block);
    }
}

TEST_CASE("picture: grid_stride_ids", "[.][picture]") {
    const int n = 29, blocks = 2, threads_per_block = 8, threads = blocks * threads_per_block;
    const auto ids = submission().call<grid_stride_ids>(out, n, blocks, threads_per_block).output();
    Table table("grid_stride_ids", {"element", "id", "block", "expected_id", "expected_block"});
    for (int i = 0; i < n; ++i) {
        const Writer writer(ids, i, threads_per_block);
        table.row(i, writer.id, writer.block, i % threads, i % threads / threads_per_block);
    }
}

TEST_CASE("picture: unfold_3d", "[.][picture]") {
    const int I = 2, J = 3, K = 4;
    const auto places = submission().call<unfold_3d>(out, I, J, K).output();
    Table table("unfold_3d", {"place", "i", "j", "k", "expected_i", "expected_j", "expected_k"});
    for (int place = 0; place < I * J * K; ++place) {
        const auto at = static_cast<std::size_t>(place);
        const Index3 got = places.untouched(at) ? Index3{kNobody, kNobody, kNobody} : places[at];
        table.row(place, got.i, got.j, got.k, place / (J * K), place / K % J, place % K);
    }
}

TEST_CASE("picture: who_am_i", "[.][picture]") {
    const int blocks = 3, threads_per_block = 70;
    const auto records = submission().call<who_am_i>(out, blocks, threads_per_block).output();
    Table table("who_am_i", {"block", "thread", "warp", "lane", "expected_warp", "expected_lane"});
    for (int id = 0; id < blocks * threads_per_block; ++id) {
        const auto at = static_cast<std::size_t>(id);
        const int block = id / threads_per_block, thread = id % threads_per_block;
        // Another thread's record says nothing about this thread's warp.
        const bool is_its_own =
            !records.untouched(at) && records[at].block == block && records[at].thread == thread;
        table.row(block, thread, is_its_own ? records[at].warp : kNobody,
                  is_its_own ? records[at].lane : kNobody, thread / 32, thread % 32);
    }
}

TEST_CASE("bench: block_size", "[.][bench]") {
    check_global_ids(1000, 256);  // reports a wrong program before timing it
    const int n = speed_size((1 << 26) + 3, (1 << 22) + 3);
    Table table("block_size", {"threads_per_block", "version", "time_ms", "gb_per_s"});
    for (const int threads_per_block : {32, 64, 128, 256, 512, 1024}) {
        for (const Version& version : versions()) {
            const double ms = time_ms<global_ids>(version, out, n, threads_per_block);
            table.row(threads_per_block, version.name(), ms, sizeof(int) * 1e-6 * n / ms);
        }
    }
}
