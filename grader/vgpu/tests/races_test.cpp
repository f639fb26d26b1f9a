// Races: each kernel with one is reported with both lines, whatever the number of workers and the
// host's instruction set. Kernels without give no finding. Results do not depend on workers.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstring>
#include <fstream>
#include <set>
#include <tuple>

#include "tests/program.h"
#include "tests/slowdown.h"
#include "vgpu/record.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// Lines marked "RACE" between a kernel's (or function's) name and the next empty line.
std::set<int> marked_lines(const std::string& kernel) {
    std::ifstream file(VGPU_TEST_SOURCE "/races.cu");
    std::set<int> lines;
    bool inside = false;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.find(" " + kernel + "(") != std::string::npos) inside = true;
        if (inside && line.find("RACE") != std::string::npos) lines.insert(number);
        if (inside && line == "}") break;
    }
    return lines;
}

struct Races : Program {
    explicit Races(unsigned workers = 1, std::uint64_t seed = 0)
        : Program(ptx_of("races"), options(workers, seed)) {}
    static Options options(unsigned workers, std::uint64_t seed) {
        Options o;
        o.workers = workers;
        o.seed = seed;
        return o;
    }
};

/// Both lines of every race found must be marked ones, and every marked line be named.
void check_race(const LaunchResult& result, const std::string& kernel, Space space) {
    INFO(kernel);
    CHECK(result.outcome == Outcome::ok);
    REQUIRE_FALSE(result.findings.empty());
    std::set<int> named;
    for (const auto& finding : result.findings) {
        INFO(describe(finding));
        CHECK(finding.check == Check::race);
        CHECK(finding.space == space);
        REQUIRE(finding.other);
        CHECK((finding.is_write || finding.other->is_write));
        CHECK_FALSE(
            (finding.thread == finding.other->thread && finding.block == finding.other->block));
        named.insert(finding.where.line);
        named.insert(finding.other->where.line);
    }
    CHECK(named == marked_lines(kernel));
}

void check_clean(const LaunchResult& result) {
    CHECK(result.outcome == Outcome::ok);
    for (const auto& finding : result.findings) FAIL_CHECK(describe(finding));
}

std::vector<int> numbers(int n) {
    std::vector<int> list(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) list[static_cast<std::size_t>(i)] = i;
    return list;
}

}  // namespace

TEST_CASE("races: shared memory without a barrier") {
    Races p(GENERATE(1u, 2u));
    const auto out = p.empty<int>(256);
    // It also reads before the writer came; one finding is enough.
    check_race(p.launch("shared_no_barrier", {1}, {128}, out.at), "shared_no_barrier",
               Space::shared);
    check_clean(p.launch("shared_with_barrier", {1}, {128}, out.at));
    // With many blocks, most of them run at the same time on the host.
    const auto result = p.launch("shared_no_barrier", {300}, {128}, out.at);
    CHECK_FALSE(result.findings.empty());
}

TEST_CASE("races: two lines race once, whichever comes first") {
    // Warp 0 reads what its own lanes have written, and what the other warps will write.
    Races p;
    const auto out = p.empty<int>(1);
    const auto result = p.launch("sum_by_one", {1}, {128}, out.at);
    check_race(result, "sum_by_one", Space::shared);
    REQUIRE(result.findings.size() == 1);
    // What 31 lanes of its warp wrote, and 64 more words: an instruction watches no more.
    CHECK(result.findings[0].occurrences == 31 + 64);
    CHECK(result.findings[0].thread == Dim3{0, 0, 0});
}

TEST_CASE("races: shared memory overwritten in the next round") {
    Races p;
    const auto in = p.array(numbers(512));
    const auto out = p.empty<int>(128);
    check_race(p.launch("shared_loop", {1}, {128}, in.at, out.at, 512, 0), "shared_loop",
               Space::shared);
    check_clean(p.launch("shared_loop", {1}, {128}, in.at, out.at, 512, 1));
    check_clean(p.launch("shared_loop", {1}, {128}, in.at, out.at, 128, 0));  // one round only
}

TEST_CASE("races: a tree whose last steps have no barrier") {
    Races p(GENERATE(1u, 2u));
    const auto in = p.array(numbers(256 * 64));
    const auto out = p.empty<int>(64);
    check_race(p.launch("tree", {64}, {256}, in.at, out.at, 0), "tree", Space::shared);
    check_clean(p.launch("tree", {64}, {256}, in.at, out.at, 1));
}

TEST_CASE("races: lanes of a warp need __syncwarp, volatile or not") {
    Races p;
    const auto in = p.array(numbers(64));
    const auto out = p.empty<int>(32);
    check_race(p.launch("warp_tree", {1}, {32}, in.at, out.at), "warp_tree", Space::shared);
    check_clean(p.launch("warp_tree_fixed", {1}, {32}, in.at, out.at));
    CHECK(p.read(out)[0] == 63 * 32);
    check_clean(p.launch("half_warps", {1}, {32}, out.at, 0));
    check_race(p.launch("half_warps", {1}, {32}, out.at, 16), "half_warps", Space::shared);
}

TEST_CASE("races: a barrier for 64 threads does not order 128") {
    Races p;
    const auto out = p.empty<int>(128);
    check_race(p.launch("one_barrier_for_two", {1}, {128}, out.at), "one_barrier_for_two",
               Space::shared);
}

TEST_CASE("races: a barrier for 64 threads does not order those that have ended") {
    Races p;
    const auto out = p.empty<int>(96);
    check_race(p.launch("readers_not_at_the_barrier", {1}, {96}, out.at),
               "readers_not_at_the_barrier", Space::shared);
}

TEST_CASE("races: global memory, in a block and between blocks") {
    Races p(GENERATE(1u, 2u));
    const int n = 64 * 256;
    const auto in = p.array(numbers(n));
    const auto sum = p.array(std::vector<int>{0});
    check_race(p.launch("global_sum", {64}, {256}, in.at, sum.at), "global_sum", Space::global);
    p.device.fill(sum.at, std::byte{0}, 4);
    check_clean(p.launch("global_sum_fixed", {64}, {256}, in.at, sum.at));
    CHECK(p.read(sum)[0] == n / 2 * (n - 1));
    const auto data = p.array(numbers(n)), out = p.array(numbers(n));
    check_race(p.launch("shift", {64}, {256}, data.at, n), "shift", Space::global);
    check_clean(p.launch("shift_fixed", {64}, {256}, in.at, out.at, n));
    check_race(p.launch("across_blocks", {64}, {32}, data.at, out.at), "across_blocks",
               Space::global);
    check_clean(p.launch("race_only_sometimes", {64}, {256}, data.at, n));
    check_race(p.launch("race_only_sometimes", {64}, {256}, data.at, n - 1), "race_only_sometimes",
               Space::global);
}

TEST_CASE("races: a plain read among atomics, unless it is a guess that an atomic decides") {
    Races p(GENERATE(1u, 2u));
    std::vector<unsigned char> letters(128);
    for (std::size_t i = 0; i < 128; ++i) letters[i] = static_cast<unsigned char>(i * 5 % 128);
    const auto in = p.array(letters);
    const auto out = p.empty<unsigned>(128);
    check_race(p.launch("histogram_early", {1}, {128}, in.at, out.at), "histogram_early",
               Space::shared);
    // Numbers that fall: after the first few threads nobody has to exchange anything.
    std::vector<float> falling(256);
    for (std::size_t i = 0; i < 256; ++i) falling[i] = 1000.0F - static_cast<float>(i);
    const auto floats = p.array(falling), largest = p.array(std::vector<float>{0});
    check_clean(p.launch("max_by_compare_and_swap", {4}, {64}, floats.at, largest.at));
    CHECK(p.read(largest)[0] == 1000);
    const auto ints = p.array(numbers(256)), most = p.array(std::vector<int>{0});
    const auto peeked = p.empty<int>(4);
    check_race(p.launch("max_and_a_peek", {4}, {64}, ints.at, most.at, peeked.at), "max_and_a_peek",
               Space::global);
    const auto count = p.array(std::vector<int>{0}), places = p.empty<int>(256);
    check_clean(p.launch("reserves_while_there_is_room", {4}, {64}, count.at, places.at, int{100}));
    check_race(p.launch("reads_then_reserves", {4}, {64}, count.at, places.at),
               "reads_then_reserves", Space::global);
}

TEST_CASE("races: an atomic operation does not hide the plain write before it") {
    Races p(GENERATE(1u, 2u));
    const auto out = p.array(std::vector<int>(4)), total = p.array(std::vector<int>{7});
    check_race(p.launch("cleared_without_barrier", {4}, {64}, out.at), "cleared_without_barrier",
               Space::shared);
    check_race(p.launch("cleared_by_the_first", {4}, {64}, total.at), "cleared_by_the_first",
               Space::global);
    check_clean(p.launch("cleared_and_read_between_barriers", {4}, {64}, out.at));
    CHECK(p.read(out) == std::vector<int>(4, 64));
    check_clean(p.launch("counters_of_blocks", {4}, {64}, out.at));
    CHECK(p.read(out) == std::vector<int>(4, 64));
}

TEST_CASE("races: a quarter of a million threads that write one word do not take all day") {
    Races p;
    const auto word = p.array(std::vector<int>{0});
    const auto result = p.launch("all_at_one", {1 << 10}, {256}, word.at);
    check_race(result, "all_at_one", Space::global);
    // Without a bound on what is remembered: four minutes.
    CHECK(result.host_seconds < 20 * kSlowdown);
}

TEST_CASE("races: the last block reads what all wrote: only after a fence") {
    Races p(GENERATE(1u, 2u));
    const auto in = p.array(numbers(64 * 64));
    const auto part = p.empty<int>(64), out = p.empty<int>(1);
    check_clean(p.launch("last_block_fenced", {64}, {64}, in.at, part.at, out.at));
    CHECK(p.read(out)[0] == 64 * 64 / 2 * (64 * 64 - 1));
    // Into memory of its own: a write of what is there already is no race.
    const auto others = p.empty<int>(64);
    check_race(p.launch("last_block_unfenced", {64}, {64}, in.at, others.at, out.at), "last_block",
               Space::global);
}

TEST_CASE("races: tickets of twenty thousand blocks do not take all day") {
    Races p;
    constexpr unsigned kBlocks = 20'000;
    const auto in = p.array(std::vector<int>(64 * kBlocks, 1));
    const auto part = p.empty<int>(kBlocks), out = p.empty<int>(1);
    const auto result = p.launch("last_block_fenced", {kBlocks}, {64}, in.at, part.at, out.at);
    check_clean(result);
    CHECK(p.read(out)[0] == 64 * kBlocks);
    // When each block copied what all before it had done: more than 30 s of a core.
    CHECK(result.host_seconds < 20 * kSlowdown);
}

TEST_CASE("races: what looks like one and is none") {
    Races p(GENERATE(1u, 2u), GENERATE(0ull, 1ull, 7ull));
    const auto in = p.array(numbers(4096));
    const auto out = p.empty<int>(4096);
    const auto zero = p.array(std::vector<int>(4, 0));
    check_clean(p.launch("same_value", {16}, {256}, zero.at, in.at, 17));
    const auto same = p.array(std::vector<int>(4096, 3));
    check_clean(p.launch("same_value", {16}, {256}, zero.at, same.at, 3));
    const auto flag = p.array(std::vector<int>(1, 0)), data = p.empty<int>(1);
    check_clean(p.launch("flag_of_a_block", {4}, {32}, flag.at, data.at, out.at));
    CHECK(p.read(out)[3] == 42);
    const auto object = p.array(std::vector<int>(1, 0));
    check_clean(p.launch("atomic_object", {2}, {32}, object.at, data.at, out.at));
    CHECK(p.read(out)[0] == 42);
    const auto text = p.empty<unsigned char>(3 * 10001);
    check_clean(p.launch("bytes", {41}, {250}, text.at, 10001));
    check_clean(p.launch("three_bytes", {41}, {250}, text.at, 10001));
    check_clean(p.launch("named_barriers", {1}, {128}, out.at));
    check_clean(p.launch("shuffles", {1}, {256}, out.at));
    CHECK(p.read(out)[0] == 255 * 128);
    check_clean(p.launch("many_barriers", {1}, {64}, out.at));
    CHECK(p.read(out)[0] == 1500 % 64);
    const auto letters = p.array(std::vector<unsigned char>(10000, 7));
    const auto bins = p.array(std::vector<unsigned>(256, 0));
    check_clean(p.launch("histogram", {16}, {128}, letters.at, bins.at, 10000));
    CHECK(p.read(bins)[7] == 10000);
    check_clean(p.launch("cross", {16}, {256}, out.at, 4096));
}

TEST_CASE("workers: bytes, reports and counts do not depend on their number") {
    // Among the kernels some that race: their outcome is that of blocks in order.
    const auto run = [](unsigned workers) {
        Races p(workers);
        const auto in = p.array(numbers(64 * 256));
        const auto data = p.array(numbers(64 * 256)), out = p.empty<int>(64 * 256);
        std::string text;
        const auto keep = [&](const LaunchResult& result) {
            text += to_json(result.counts);
            for (const auto& finding : result.findings) text += json_of(finding).dump();
        };
        keep(p.launch("shift", {64}, {256}, data.at, 64 * 256));
        keep(p.launch("global_sum", {64}, {256}, in.at, data.at));
        keep(p.launch("tree", {64}, {256}, in.at, out.at, 0));
        keep(p.launch("cross", {64}, {256}, out.at, 64 * 256));
        keep(p.launch("across_blocks", {64}, {64}, data.at, out.at));
        return std::tuple(text, p.read(data), p.read(out));
    };
    const auto one = run(1);
    for (const unsigned workers : {2u, 3u, 8u}) CHECK(run(workers) == one);
}

TEST_CASE("seed: another order of blocks, the same for each seed, shows what depends on it") {
    const auto run = [](std::uint64_t seed) {
        Races p(1, seed);
        const auto data = p.array(std::vector<int>(64 * 256, 0));
        // The last thread to write wins.
        p.launch("race_only_sometimes", {64}, {256}, data.at, 0);
        return p.read(data)[0];
    };
    CHECK(run(0) == 64 * 256 - 1);
    CHECK(run(3) == run(3));
    std::set<int> outcomes;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) outcomes.insert(run(seed));
    CHECK(outcomes.size() > 1);
}

TEST_CASE("seed: block 0 is not the first, and what is changed by volatile is lost") {
    struct Seen {
        int total, first;
        std::uint64_t instructions;
    };
    const unsigned workers = GENERATE(1u, 2u);
    const auto run = [=](unsigned blocks, std::uint64_t seed) {
        Races p(workers, seed);
        const auto total = p.array(std::vector<int>(1, 0));
        const auto first = p.array(std::vector<int>{-1});
        const auto result = p.launch("add_by_volatile", {blocks}, {64}, total.at, first.at);
        check_clean(result);
        return Seen{p.read(total)[0], p.read(first)[0], result.counts.warp_instructions};
    };
    for (const unsigned blocks : {2u, 3u, 4u, 64u}) {
        const Seen in_order = run(blocks, 0);
        CHECK(in_order.total == static_cast<int>(blocks));
        CHECK(in_order.first == 0);
        for (const std::uint64_t seed : {1ull, 2ull, 77ull}) {
            const Seen other = run(blocks, seed);
            CHECK(other.total < static_cast<int>(blocks));
            CHECK(other.total > 0);
            CHECK(other.first != 0);
            // Interrupted or not, a warp executes the same.
            CHECK(other.instructions == in_order.instructions);
        }
    }
}

TEST_CASE("footprint: what a launch read and wrote") {
    Races p(GENERATE(1u, 2u));
    const auto in = p.array(numbers(64 * 256));
    const auto out = p.empty<int>(64 * 256);
    Launch launch{p.module, "shift_fixed", {64}, {256}, 0, {}};
    launch.want_footprint = true;
    launch.parameters.resize(20);
    const int n = 10001;
    std::memcpy(launch.parameters.data(), &in.at, 8);
    std::memcpy(launch.parameters.data() + 8, &out.at, 8);
    std::memcpy(launch.parameters.data() + 16, &n, 4);
    const auto result = p.device.launch(launch);
    check_clean(result);
    CHECK(result.footprint == std::vector<Footprint>{{in.at + 4, in.at + 4 * 10001, true, false},
                                                     {out.at, out.at + 4 * 10000, false, true}});
}

TEST_CASE("writers: which thread wrote which word last") {
    const unsigned workers = GENERATE(1u, 2u);
    const std::uint64_t seed = GENERATE(0u, 7u);  // the order of blocks changes nothing
    Races p(workers, seed);
    const auto in = p.array(numbers(64 * 256));
    const auto out = p.empty<int>(64 * 256);
    Launch launch{p.module, "shift_fixed", {64}, {256}, 0, {}};
    launch.want_writers = true;
    launch.parameters.resize(20);
    const int n = 10001;
    std::memcpy(launch.parameters.data(), &in.at, 8);
    std::memcpy(launch.parameters.data() + 8, &out.at, 8);
    std::memcpy(launch.parameters.data() + 16, &n, 4);
    const auto expected = std::vector<Writers>{{out.at, 10000, 0, 1}};
    CHECK(p.device.launch(launch).writers == expected);
    CHECK(p.device.launch(launch).writers == expected);  // kept or run again: the same
    launch.want_writers = false;
    CHECK(p.device.launch(launch).writers.empty());
}

TEST_CASE("races: one that makes a bad index comes before the bad access") {
    const std::uint64_t seed = GENERATE(0u, 7u);  // others may write in time
    Races p(GENERATE(1u, 2u), seed);
    const auto places = p.array(numbers(64)), in = p.array(numbers(64));
    const auto out = p.empty<int>(128);
    const auto far = p.array(std::vector<int>(32, -1'000'000));
    const auto check = [](LaunchResult result, const std::string& kernel, Space space) {
        INFO(kernel);
        CHECK(result.outcome == Outcome::illegal_address);
        REQUIRE(result.findings.size() == 2);
        CHECK(result.findings[1].check != Check::race);
        CHECK(result.findings[1].check != Check::uninitialized_read);
        result.findings.pop_back();
        result.outcome = Outcome::ok;
        check_race(result, kernel, space);
    };
    check(p.launch("place_of_another_lane", {1}, {32}, places.at, in.at, out.at),
          "place_of_another_lane", Space::shared);
    if (seed != 0) return;
    check(p.launch("place_of_another_warp", {1}, {64}, places.at, in.at, out.at),
          "place_of_another_warp", Space::shared);
    check(p.launch("place_of_another_block", {2}, {32}, far.at, in.at, out.at),
          "place_of_another_block", Space::global);
    const auto other = p.launch("bad_index_beside_a_race", {1}, {96}, in.at, out.at);
    REQUIRE(other.findings.size() == 1);
    CHECK(other.findings[0].check == Check::out_of_bounds);
}

TEST_CASE("races: atomic in a block, between blocks") {
    Races p(GENERATE(1u, 2u), GENERATE(0u, 7u));
    const auto totals = p.array(std::vector<int>(40, 0));
    const auto result = p.launch("add_in_block", {40}, {64}, totals.at);
    check_race(result, "add_in_block", Space::global);
    for (const auto& finding : result.findings) {
        CHECK(finding.is_out_of_scope);
        CHECK(finding.block != finding.other->block);
        CHECK(describe(finding).find("atomic among the threads of one block only") !=
              std::string::npos);
    }
    check_clean(p.launch("add_in_block", {1}, {64}, totals.at));
    check_clean(p.launch("add_in_own_block", {40}, {64}, totals.at));
    const auto turn = p.array(std::vector<int>(1, 0));
    check_clean(p.launch("add_in_turn", {8}, {64}, totals.at, turn.at));
}
