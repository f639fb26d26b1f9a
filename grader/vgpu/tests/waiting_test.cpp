// Mistakes of threads that wait for or look at each other (kernels/waiting.cu): what the user
// reads, word by word, and that the corrected kernel is left alone.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/program.h"
#include "vgpu/work.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

struct Waiting : Program {
    Waiting() : Program(ptx_of("waiting"), limited()) {}
    static Options limited() {
        Options options;
        options.warp_instruction_limit = 100'000;
        return options;
    }
    Array<int> out = array(std::vector<int>(64));
};

std::string at(const std::string& name) {
    std::ifstream file(VGPU_TEST_SOURCE "/waiting.cu");
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.ends_with("HERE " + name)) return fmt::format("waiting.cu:{}", number);
    }
    return "nowhere";
}

std::string sentences(const LaunchResult& result) {
    std::string text;
    for (const Finding& finding : result.findings)
        text += (text.empty() ? "" : "\n") + describe(finding);
    return text;
}

}  // namespace

TEST_CASE_METHOD(Waiting, "invalid_mask: a mask without the lane itself") {
    const auto result = launch("mask_of_others", {1}, {32}, out.at);
    REQUIRE_FALSE(result.findings.empty());
    CHECK(result.findings[0].check == Check::invalid_mask);
    const std::string text = describe(result.findings[0]);
    CHECK(text.starts_with("mask_of_others gives a mask that leaves out the lane which calls at " +
                           at("mask_of_others") + ", by thread (0,0,0) of block (0,0,0)"));
    CHECK(text.ends_with(": lane 0 calls with the mask 0xffff0000, which does not name it"));
    CHECK(is_undefined_value(read(out)[0]));
    CHECK(sentences(launch("mask_of_others_fixed", {1}, {32}, out.at)) == "");
}

// What CUDA defines of a shuffle, in all its ways: the lane that is read, or the lane itself.
TEST_CASE_METHOD(Waiting, "absent_lane: what it would have given is garbage, in all shuffles") {
    const auto results = array(std::vector<int>(4 * 32));
    const int first = GENERATE(0, 5), threads = GENERATE(32, 20), by = GENERATE(1, 3, 16),
              width = GENERATE(32, 8);
    INFO(first << " " << threads << " " << by << " " << width);
    launch("shuffles_of_few", {1}, {static_cast<unsigned>(threads)}, results.at, first, by, width);
    const auto got = read(results);
    for (int lane = first; lane < threads; ++lane) {
        const int begin = lane / width * width, place = lane - begin;
        // A butterfly may reach into lower segments.
        const int partner = lane ^ by;
        const int from[] = {place - by < 0 ? lane : lane - by,
                            place + by >= width ? lane : lane + by,
                            partner >= begin + width ? lane : partner, begin + (lane + by) % width};
        for (int way = 0; way < 4; ++way) {
            INFO("lane " << lane << ", way " << way);
            const int value = got[static_cast<std::size_t>(4 * lane + way)];
            const bool is_there = from[way] >= first && from[way] < threads;
            if (is_there)
                CHECK(value == from[way]);
            else
                CHECK(is_undefined_value(value));
        }
    }
}

TEST_CASE_METHOD(Waiting, "absent_lane: a shuffle from a lane that does not take part") {
    CHECK(sentences(launch("absent_lane", {1}, {32}, out.at, 12)) ==
          "absent_lane reads from a lane that does not take part at " + at("absent_lane") +
              ", by thread (0,0,0) of block (0,0,0); 8 threads in all: lane 0 reads from lane 12, "
              "which the mask does not name");
    for (std::size_t lane = 0; lane < 8; ++lane) CHECK(is_undefined_value(read(out)[lane]));
    CHECK(sentences(launch("absent_lane", {1}, {32}, out.at, 7)) == "");
    CHECK(sentences(launch("lane_that_left", {1}, {32}, out.at)) ==
          "lane_that_left reads from a lane that does not take part at " + at("lane_that_left") +
              ", by thread (0,0,0) of block (0,0,0); 31 threads in all: lane 0 reads from lane 31, "
              "which has left the kernel or was never there");
    CHECK(sentences(launch("lane_that_left_fixed", {1}, {32}, out.at)) == "");
    // A tree over 12 lanes that begins with a distance of 16, and knows that they are 12.
    CHECK(sentences(launch("short_warp", {1}, {12}, out.at, 0xfff)) == "");
    CHECK(sentences(launch("short_warp", {1}, {12}, out.at, -1))
              .ends_with("which has left the kernel or was never there"));
}

TEST_CASE_METHOD(Waiting, "deadlock: two warps at two barriers") {
    const auto result = launch("crossed_barriers", {1}, {64}, out.at, 1);
    CHECK(result.outcome == Outcome::deadlock);
    CHECK(
        sentences(result) ==
        fmt::format("crossed_barriers can never end: all of its threads that are left wait at {0}, "
                    "by thread (0,0,0) of block (0,0,0): these threads wait for ever; warps 0 to "
                    "1 waiting at the barrier in line {1}",
                    at("crossed_barriers"), at("crossed_barriers").substr(11)));
    CHECK(sentences(launch("crossed_barriers", {1}, {64}, out.at, 0)) == "");
}

TEST_CASE_METHOD(Waiting,
                 "deadlock: a shuffle is named, not the barrier at which the others wait") {
    const auto result = launch("shuffle_in_a_loop", {1}, {64}, out.at, 48);
    CHECK(result.outcome == Outcome::deadlock);
    CHECK(sentences(result).starts_with(
        "shuffle_in_a_loop can never end: all of its threads that are left wait at " +
        at("shuffle_in_a_loop") +
        ", by thread (32,0,0) of block (0,0,0): these threads wait for "
        "ever, for lanes of their warp that are elsewhere"));
    CHECK(sentences(launch("shuffle_in_a_loop", {1}, {64}, out.at, 64)) == "");
}

TEST_CASE_METHOD(Waiting, "deadlock: half a warp waits for the half that waits for the block") {
    const auto result = launch("warp_without_half", {1}, {32}, out.at);
    CHECK(result.outcome == Outcome::deadlock);
    CHECK(sentences(result) ==
          "warp_without_half can never end: all of its threads that are left wait at " +
              at("warp_without_half") +
              ", by thread (0,0,0) of block (0,0,0): these threads wait for ever, for lanes of "
              "their warp that are elsewhere: what waits for all lanes must not stand in a loop or "
              "a branch that some of them leave out");
    CHECK(sentences(launch("warp_without_half_fixed", {1}, {32}, out.at)) == "");
}

namespace {

/// With room to find out that waiting threads wait for ever.
struct WaitingLong : Program {
    WaitingLong() : Program(ptx_of("waiting"), roomy()) {}
    static Options roomy() {
        Options options;
        options.warp_instruction_limit = 10'000'000;
        return options;
    }
    Array<int> out = array(std::vector<int>(64));
};

}  // namespace

TEST_CASE_METHOD(WaitingLong, "deadlock: a grid that waits for a block that has left") {
    const auto result = launch_cooperative("grid_without_block", {4}, {32}, out.at, 3);
    CHECK(result.outcome == Outcome::deadlock);
    const std::string line = at("grid_without_block").substr(11);
    CHECK(sentences(result) ==
          "grid_without_block can never end: all of its threads that are left wait at " +
              at("grid_without_block") +
              ", by thread (0,0,0) of block (0,0,0): these threads wait in a loop, and nobody is "
              "left who could end it; blocks 0 to 2 in line " +
              line + "; 1 of the 4 blocks has ended");
    CHECK(result.counts.warp_instructions < 5'000'000);
    CHECK(sentences(launch_cooperative("grid_without_block", {4}, {32}, out.at, 4)) == "");
}

TEST_CASE_METHOD(WaitingLong, "deadlock: one block meets the grid once more than the others") {
    const auto result = launch_cooperative("grid_uneven", {4}, {64}, out.at, 2);
    CHECK(result.outcome == Outcome::deadlock);
    CHECK(sentences(result) ==
          "grid_uneven can never end: all of its threads that are left wait at " +
              at("grid_uneven") +
              ", by thread (0,0,0) of block (1,0,0): these threads wait in a loop, and nobody is "
              "left who could end it; block 1 in line " +
              at("grid_uneven").substr(11) + "; 3 of the 4 blocks have ended");
    CHECK(sentences(launch_cooperative("grid_uneven", {4}, {64}, out.at, 1)) == "");
}

TEST_CASE_METHOD(WaitingLong, "deadlock: blocks that wait for more of them than a GPU holds") {
    const auto meet = [&](std::uint32_t blocks, int by_adding) {
        const auto arrived = array(std::vector<unsigned>(1)),
                   seen = array(std::vector<unsigned>(600));
        Launch wish;
        wish.module = module;
        wish.kernel = "meet_by_hand";
        wish.grid = {blocks};
        wish.block = {64};
        wish.most_resident = 264;
        wish.parameters = arguments(arrived.at, seen.at, by_adding);
        return device.launch(wish);
    };
    for (const int by_adding : {0, 1}) {
        const auto result = meet(264, by_adding);
        CHECK(sentences(result) == "");
        CHECK(result.counts.warp_instructions < 4'000'000);  // no turn for those that wait in vain
    }
    const std::string place = at("meet_by_hand");
    CHECK(sentences(meet(300, 0)) ==
          "meet_by_hand can never end: all of its threads that are left wait at " + place +
              ", by thread (0,0,0) of block (0,0,0): these threads wait in a loop, and 36 blocks "
              "have not started: a GPU holds 264 of this kernel at once, and starts another when "
              "one has ended; blocks 0 to 263 in line " +
              place.substr(11) + "; they read array again and again, which nobody writes any more");
    CHECK(sentences(meet(300, 1))
              .find("36 blocks have not started: a GPU holds 264 of this kernel") !=
          std::string::npos);
}

TEST_CASE_METHOD(WaitingLong, "deadlock: a flag that nobody sets, and one that is set late") {
    const auto never = launch("wait_for_flag", {2}, {32}, out.at, 0);
    CHECK(never.outcome == Outcome::deadlock);
    REQUIRE(never.findings.size() == 1);
    CHECK(describe(never.findings[0]).find("blocks 0 to 1 in line") != std::string::npos);
    CHECK(launch("wait_for_flag", {2}, {32}, out.at, 1'000'000).outcome == Outcome::ok);
    CHECK(read(out)[0] != 0);
}

TEST_CASE("deadlock: a warp that looks together, in a loop with two ways back, is waiting") {
    const auto seed = GENERATE(0u, 1u, 2u, 3u, 4u, 5u);
    const int fences = GENERATE(0, 1);
    CAPTURE(seed, fences);
    Options options = Waiting::limited();
    options.seed = seed;
    Program program(ptx_of("waiting"), options);
    // Behind the blocks' own flags stands the one that the first block waits for.
    std::vector<unsigned> flags(14);
    flags.back() = 1;
    const auto set = program.array(flags);
    const auto chain = program.launch("chain_of_votes", {13}, {32}, set.at, fences);
    CHECK(sentences(chain) == "");
    CHECK(program.read(set) == std::vector<unsigned>(14, 1));
    const auto unset = program.array(std::vector<unsigned>(14));
    const auto stuck = program.launch("chain_of_votes", {13}, {32}, unset.at, fences);
    // A loop that sleeps reaches the limit of instructions.
    REQUIRE(stuck.findings.size() == 1);
    CHECK(stuck.findings[0].check == (fences > 0 ? Check::deadlock : Check::instruction_limit));
}

TEST_CASE("deadlock: each block waits for the one before it, and not all fit on the GPU") {
    Options options;
    options.seed = GENERATE(0u, 3u);
    CAPTURE(options.seed);
    Program program(ptx_of("waiting"), options);
    std::vector<unsigned> flags(2601);  // more than twice as many as are there at once
    flags.back() = 1;
    const auto set = program.array(flags);
    CHECK(sentences(program.launch("chain_of_votes", {2600}, {32}, set.at, 0)) == "");
    CHECK(program.read(set) == std::vector<unsigned>(2601, 1));
}

// What is traced is executed instruction by instruction; so is a loop that counts.
TEST_CASE_METHOD(WaitingLong, "polls: looks that are only counted are counted as if made") {
    const auto flag = array(std::vector<int>(1));
    const auto looks = array(std::vector<int>(8));
    std::size_t traced = 0;
    const auto both = [&](Launch wish, const auto&... values) {
        wish.module = module;
        wish.cooperative = true;  // all blocks are there from the beginning
        wish.parameters = arguments(values...);
        std::vector<std::string> counts;
        std::vector<std::vector<int>> seen;
        for (const bool is_traced : {false, true}) {
            device.fill(flag.at, std::byte{0}, 4);
            wish.trace = {};
            if (is_traced) wish.trace = [&](std::string_view) { return ++traced > 0; };
            const auto result = device.launch(wish);
            CHECK(result.outcome == Outcome::ok);
            counts.push_back(json_of(result.counts).dump() +
                             fmt::format(" {} {}", result.warp_time, result.block_time));
            seen.push_back(read(looks));
        }
        CHECK(counts[0] == counts[1]);
        CHECK(seen[0] == seen[1]);
    };
    both({0, "one_lane_waits", {8}, {32}, 0, {}}, flag.at, 50'000);
    both({0, "one_lane_counts", {8}, {32}, 0, {}}, flag.at, looks.at, 50'000);
    CHECK(read(looks)[1] > 500);
    both({0, "one_lane_waits_for_another", {2}, {32}, 0, {}}, flag.at, 5'000);
    both({0, "grid_uneven", {16}, {64}, 0, {}}, out.at, 1);
    CHECK(traced > 100'000);
}

TEST_CASE_METHOD(WaitingLong, "polls: one lane that waits for ever is reported with its line") {
    const auto flag = array(std::vector<int>(1));
    const auto never = launch("one_lane_waits", {8}, {32}, flag.at, 0);
    CHECK(never.outcome == Outcome::deadlock);
    REQUIRE(never.findings.size() == 1);
    CHECK(describe(never.findings[0]).find("blocks 0 to 7 in line") != std::string::npos);
}

TEST_CASE_METHOD(WaitingLong, "deadlock: a flag in memory that the host shares may still be set") {
    std::vector<int> shared(1024);
    const Address pinned = device.reserve(4096);
    device.adopt(pinned, std::as_writable_bytes(std::span(shared)), "pinned");
    CHECK(launch("wait_for_flag", {2}, {32}, pinned, 0).outcome == Outcome::waits_for_host);
    CHECK(launch("wait_for_flag", {1}, {32}, out.at, 0).outcome == Outcome::deadlock);
}

TEST_CASE_METHOD(Waiting, "out_of_bounds: the nearest of several variables in shared memory") {
    CHECK(sentences(launch("second_variable", {1}, {16}, out.at, 1)) ==
          "second_variable writes 8 bytes of shared memory just past the end of second (128 bytes) "
          "at " +
              at("second_variable") + ", by thread (15,0,0) of block (0,0,0)");
    CHECK(sentences(launch("second_variable", {1}, {16}, out.at, 0)) == "");
}

TEST_CASE_METHOD(Waiting, "misaligned: four floats at once") {
    const auto in = array(std::vector<float>(64, 1));
    const auto four = array(std::vector<float>(64, 1));
    CHECK(sentences(launch("load_four", {1}, {8}, in.at, four.at, 1)) ==
          fmt::format(
              "load_four reads 16 bytes at address {:#x}, which is not a multiple of 16 at {}, "
              "by thread (0,0,0) of block (0,0,0); 8 accesses in all",
              in.at + 4, at("load_four")));
    CHECK(sentences(launch("load_four", {1}, {8}, in.at, four.at, 4)) == "");
}

TEST_CASE_METHOD(Waiting, "instruction_limit: an atomicCAS that can no longer store says why") {
    const auto place = array(std::vector<int>{5, 0});
    const auto text = [&](const LaunchResult& result) {
        REQUIRE(result.findings.size() == 1);
        return describe(result.findings[0]);
    };
    const auto endless = launch("swap_with_old", {1}, {32}, place.at, 0);
    CHECK(endless.outcome == Outcome::launch_timeout);
    CHECK(text(endless).find("; its atomicCAS stores only where it finds 5, and finds 1") !=
          std::string::npos);
    device.fill(place.at, std::byte{0}, 8);
    CHECK(sentences(launch("swap_with_old", {1}, {32}, place.at, 1)) == "");
    device.fill(place.at, std::byte{0}, 8);
    CHECK(text(launch("lock_that_stays", {1}, {32}, place.at, 0))
              .ends_with("; its atomicCAS stores only where it finds 0, and finds 1"));
    device.fill(place.at, std::byte{0}, 8);
    CHECK(sentences(launch("lock_that_stays", {1}, {32}, place.at, 1)) == "");
    CHECK(read(place)[1] == 32);
}

TEST_CASE_METHOD(Waiting, "race: what says that a lock may be meant") {
    const auto place = array(std::vector<int>{0, 0});
    const auto locked = launch("lock_without_fences", {2}, {32}, place.at);
    REQUIRE_FALSE(locked.findings.empty());
    CHECK(locked.findings[0].check == Check::race);
    CHECK(locked.findings[0].tries_swaps);
}
