// No false alarms: what experienced people write (kernels/idioms.cu) gives the right numbers and no
// finding, in any order of blocks and warps and with any number of workers.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

using Numbers = std::vector<int>;
constexpr int kCount = 1024;
constexpr int kNothing = -77;  ///< what `out` holds before

int in(int i) {
    return (i * 37 + 11) % 101;
}
template <class F>
Numbers each(int n, F f) {
    Numbers list;
    for (int i = 0; i < n; ++i) list.push_back(f(i));
    return list;
}
const Numbers kIn = each(kCount, in);

int sum(int begin, int end) {
    return std::accumulate(kIn.begin() + begin, kIn.begin() + end, 0);
}
Numbers block_sums() {
    return each(8, [](int b) { return sum(128 * b, 128 * b + 128); });
}
Numbers scans() {
    return each(kCount, [](int i) { return sum(i / 128 * 128, i + 1); });
}
Numbers chain() {
    return each(kCount, [](int i) { return sum(0, i / 128); });
}
Numbers count_of(int kinds) {
    Numbers bins(static_cast<std::size_t>(kinds));
    for (const int value : kIn) ++bins[static_cast<std::size_t>(value % kinds)];
    return bins;
}
/// What runs, and what the beginning of `out` and `words` must be then.
struct Idiom {
    const char* kernel;
    Numbers out, words;
    Dim3 grid{8, 1, 1}, block{128, 1, 1};
};

/// In all orders and with all numbers of workers.
void each_way(const std::function<void(const Options&)>& run) {
    for (const unsigned workers : {1u, 2u})
        for (const std::uint64_t seed : {0ull, 5ull, 11ull}) {
            Options options;
            options.workers = workers;
            options.seed = seed;
            options.warp_instruction_limit = 5'000'000;
            run(options);
        }
}

void check_clean(const LaunchResult& result) {
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
    CHECK(result.outcome == Outcome::ok);
}

Numbers beginning(const Numbers& list, std::size_t size) {
    return {list.begin(), list.begin() + static_cast<std::ptrdiff_t>(size)};
}

void check(const std::vector<Idiom>& idioms) {
    const std::string ptx = ptx_of("idioms");
    each_way([&](const Options& options) {
        Program program(ptx, options);
        const auto numbers = program.array(kIn);
        for (const Idiom& idiom : idioms) {
            INFO(idiom.kernel << ", " << options.workers << " workers, seed " << options.seed);
            const auto out = program.array(Numbers(kCount, kNothing)),
                       words = program.array(Numbers(64, 0));
            check_clean(program.launch(idiom.kernel, idiom.grid, idiom.block, numbers.at, out.at,
                                       words.at));
            CHECK(beginning(program.read(out), idiom.out.size()) == idiom.out);
            CHECK(beginning(program.read(words), idiom.words.size()) == idiom.words);
        }
    });
}

}  // namespace

TEST_CASE("idioms: shared memory with barriers") {
    const auto rounds = each(kCount, [](int i) {
        int total = 0;
        for (int r = 0; r < 8; ++r) total += in(128 * r + (i + 1) % 128);
        return total;
    });
    const auto specialised = each(kCount, [](int i) {
        int total = 0;
        for (int r = 0; i % 128 >= 64 && r < 8; ++r) total += in(128 * r + 127 - i % 128);
        return total;
    });
    const auto compacted = each(8, [](int b) {
        int total = 0;
        for (int i = 128 * b; i < 128 * b + 128; ++i) total += in(i) % 3 == 0 ? in(i) : 0;
        return total;
    });
    check({{"double_buffer", rounds, {}},
           {"block_object_barrier", beginning(rounds, 256), {}, {2}},
           {"warp_specialised", specialised, {}},
           {"tree_with_last_warp", block_sums(), {}},
           {"shuffle_sum", block_sums(), {}},
           {"scan_in_place", scans(), {}},
           {"scan_up_and_down", scans(), {}},
           {"histogram", {}, count_of(32)},
           {"compact", compacted, {}},
           {"until_none_changes", Numbers(kCount, 0), {}},
           {"transpose",
            each(kCount, [](int i) { return in(i % 32 * 32 + i / 32); }),
            {},
            {1},
            {32, 8}}});
}

TEST_CASE("idioms: threads and blocks that hand over through memory") {
    const int matching = static_cast<int>(
        std::count_if(kIn.begin(), kIn.end(), [](int value) { return value % 3 == 0; }));
    check(
        {{"chain_of_blocks", chain(), {}},
         {"chain_with_atomics", chain(), {}},
         {"chain_with_atomic_ref", chain(), {}},
         {"flag_in_block", each(kCount, [](int i) { return i % 128 >= 32 ? in(i / 128) : 0; }), {}},
         {"spin_lock", {}, {0, sum(0, kCount)}},
         {"lock_of_block", {}, {0, sum(0, 8)}},
         {"last_block_sums", {sum(0, kCount)}, {}},
         {"work_queue", each(kCount, [](int i) { return 2 * in(i); }), {}, {5}},
         {"compare_and_swap", {}, {sum(0, kCount)}},
         {"largest", {}, {*std::max_element(kIn.begin(), kIn.end())}},
         {"aggregated", {}, {matching}},
         {"same_value", {}, {1}},
         {"grid_stride", each(kCount, [](int i) { return 2 * in(i); }), {}}});
}

TEST_CASE("idioms: cooperative groups") {
    const int even = static_cast<int>(
        std::count_if(kIn.begin(), kIn.end(), [](int value) { return value % 2 == 0; }));
    check({{"groups", block_sums(), {even}}, {"tiles_apart", {}, {}}});
}

TEST_CASE("idioms: steps from one buffer to the other, in many launches and in one") {
    Numbers expected = kIn;
    for (int k = 0; k < 5; ++k) {
        const Numbers before = expected;
        for (int i = 0; i < kCount; ++i) {
            const auto at = [&](int j) {
                return before[static_cast<std::size_t>(std::clamp(j, 0, kCount - 1))];
            };
            expected[static_cast<std::size_t>(i)] = at(i - 1) + at(i + 1);
        }
    }
    each_way([&](const Options& options) {
        Program program(ptx_of("idioms"), options);
        auto a = program.array(kIn), b = program.empty<int>(kCount);
        for (int k = 0; k < 5; ++k) {
            check_clean(program.launch("step", {8}, {128}, a.at, b.at, Address{0}));
            std::swap(a, b);
        }
        CHECK(program.read(a) == expected);

        const auto c = program.array(kIn), d = program.empty<int>(kCount);
        check_clean(program.launch_cooperative("steps_in_grid", {8}, {128}, c.at, d.at, 5));
        CHECK(program.read(d) == expected);
    });
}

TEST_CASE("idioms: a variable that only some threads have a value for") {
    Numbers expected = kIn;
    for (int& value : expected) value = value % 2 != 0 ? -1 : value / 2;
    each_way([&](const Options& options) {
        Program program(ptx_of("idioms"), options);
        const auto in = program.array(kIn), out = program.empty<int>(kCount);
        check_clean(program.launch("some_have_a_value", {8}, {128}, in.at, out.at, Address{0}));
        CHECK(program.read(out) == expected);
    });
}
