// Barriers in shared memory (kernels/barriers.cu): for compute capability 9.0 they are mbarrier
// instructions, for 7.5 atomic operations.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <numeric>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

Options limited() {
    Options options;
    options.warp_instruction_limit = 50'000'000;
    return options;
}

std::string told(const LaunchResult& result) {
    std::string text;
    for (const Finding& finding : result.findings) text += describe(finding) + "\n";
    return text;
}

struct Barriers : Program {
    Barriers() : Program(ptx_of("barriers", GENERATE("O3", "sm80", "sm90")), limited()) {}

    static std::vector<int> counting(int count) {
        std::vector<int> values(static_cast<std::size_t>(count));
        std::iota(values.begin(), values.end(), 0);
        return values;
    }
};

}  // namespace

TEST_CASE_METHOD(Barriers, "barriers: a block that waits at one, and one that does not") {
    const auto values = array(counting(256));
    const auto result = launch("turn_round", {1}, {256}, values.at, 5);
    CHECK(result.outcome == Outcome::ok);
    CHECK(told(result) == "");
    CHECK(read(values)[0] == 5);
    CHECK(read(values)[253] == 2);
    const auto early = launch("turn_too_early", {1}, {256}, values.at, 5);
    INFO(told(early));
    REQUIRE(early.findings.size() == 1);
    CHECK(early.findings[0].check == Check::race);
}

TEST_CASE("barriers: a debug build asks whether a barrier lies in the shared memory of a cluster") {
    Program program(ptx_of("barriers", "G90"), limited());
    const auto values = program.array(Barriers::counting(256));
    const auto result = program.launch("turn_round", {1}, {256}, values.at, 5);
    CHECK(result.outcome == Outcome::ok);
    CHECK(told(result) == "");
    CHECK(program.read(values)[253] == 2);
}

TEST_CASE_METHOD(Barriers, "barriers: waiting costs a warp no more than some looks") {
    const auto values = array(counting(256));
    const auto few = launch("turn_round", {1}, {256}, values.at, 5);
    const auto more = launch("turn_round", {1}, {256}, values.at, 25);
    CHECK(more.outcome == Outcome::ok);
    constexpr std::uint64_t kWarps = 8, kWaits = 20 * 2,
                            kMost = 120;  // of each, the arrival included
    CHECK(more.counts.warp_instructions - few.counts.warp_instructions < kWarps * kWaits * kMost);
}

TEST_CASE_METHOD(Barriers, "barriers: threads drop out") {
    const auto rounds = empty<int>(64);
    const auto result = launch("fewer_and_fewer", {1}, {64}, rounds.at);
    CHECK(result.outcome == Outcome::ok);
    CHECK(told(result) == "");
    std::vector<int> expected = counting(64);
    for (int& value : expected) ++value;
    CHECK(read(rounds) == expected);
}

TEST_CASE_METHOD(Barriers, "barriers: a warp that never arrives") {
    const auto out = empty<int>(96);
    const auto result = launch("one_missing", {1}, {96}, out.at);
    CHECK(result.outcome == Outcome::deadlock);
    INFO(told(result));
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].check == Check::deadlock);
    CHECK(describe_cause(result.findings[0]).find("warps 1 to 2") != std::string::npos);
}

TEST_CASE_METHOD(Barriers, "barriers: copies that a pipeline or a barrier waits for") {
    const auto in = array(counting(6 * 128));
    const auto out = empty<int>(256);
    const auto tiles = launch("sum_of_tiles", {1}, {128}, in.at, out.at, 6);
    CHECK(tiles.outcome == Outcome::ok);
    CHECK(told(tiles) == "");
    CHECK(read(out)[0] == 6 * 127 + 128 * 15);
    CHECK(read(out)[127] == 128 * 15);
    const auto copy = launch("copy_with_barrier", {1}, {256}, in.at, out.at);
    CHECK(copy.outcome == Outcome::ok);
    CHECK(told(copy) == "");
    CHECK(read(out)[0] == 255);
    CHECK(read(out)[255] == 0);
}
