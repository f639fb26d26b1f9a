// Every lane gets its turn: locks and hand-overs within a warp end (kernels/progress.cu), at a cost
// that does not drown the work.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <numeric>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

/// Spinning costs instructions; a lane's turn must come long before this many.
constexpr std::uint64_t kMostInstructions = 2'000'000;

class Progress : public Program {
public:
    explicit Progress(const std::string& variant)
        : Program(ptx_of("progress", variant), limits()) {}

    int counter() {
        int value = 0;
        device.read(std::as_writable_bytes(std::span(&value, 1)),
                    device.variable(module, "counter").base);
        return value;
    }
    template <class... T>
    void run(const std::string& kernel, Dim3 grid, Dim3 block, T... arguments) {
        const auto result = launch(kernel, grid, block, arguments...);
        INFO(kernel);
        CHECK(result.outcome == Outcome::ok);
    }

private:
    static Options limits() {
        Options options;
        options.warp_instruction_limit = kMostInstructions;
        return options;
    }
};

}  // namespace

TEST_CASE("progress: a lock that lanes of one warp fight for, however it is spelt") {
    for (const std::string variant : {"O3", "G"})
        for (const std::string kernel :
             {"lock_then_work", "lock_in_functions", "lock_in_called_functions", "lock_with_flag",
              "lock_with_break", "lock_with_sleep", "lock_test_and_set", "lock_if_else",
              "lock_ticket"}) {
            Progress program(variant);
            program.run(kernel, {3}, {96});
            INFO(variant << " " << kernel);
            CHECK(program.counter() == 3 * 96);
        }
}

TEST_CASE("progress: lanes that a lock drove apart meet again") {
    for (const std::string variant : {"O3", "G"}) {
        Progress program(variant);
        const auto out = program.array(std::vector<int>(64));
        program.run("lock_rounds", {1}, {64}, out.at, 5);
        CHECK(program.counter() == 5 * 64);
        const auto got = program.read(out);
        for (int i = 0; i < 64; ++i) CHECK(got[static_cast<std::size_t>(i)] == 5 * (i ^ 1));
        program.run("lock_held_over_meeting", {1}, {64}, out.at);
        CHECK(program.counter() == 5 * 64 + 2);
        CHECK(program.read(out) == std::vector<int>(64, 1));
    }
}

TEST_CASE("progress: lanes wait for each other's words in memory") {
    for (const std::string variant : {"O3", "G"}) {
        Progress program(variant);
        const auto box = program.array(std::vector<int>(64)),
                   out = program.array(std::vector<int>(64));
        program.run("produce_and_consume", {1}, {32}, box.at, out.at, 4);
        const auto sums = program.read(out);
        CHECK(std::accumulate(sums.begin(), sums.end(), 0) == 31 * (1 + 2 + 3 + 4));

        const auto flags = program.array(std::vector<int>(32));
        program.run("branch_waits_for_branch", {1}, {64}, flags.at, out.at);
        const auto got = program.read(out);
        for (std::size_t i = 0; i < 64; ++i) CHECK(got[i] == (i % 2 != 0 ? 2 : 1));

        const auto word = program.array(std::vector<int>(1));
        program.run("relay", {2}, {96}, word.at, program.array(std::vector<int>(192)).at);
        CHECK(program.read(word)[0] == 192);

        const auto talk = program.array(std::vector<int>(2)),
                   rounds = program.array(std::vector<int>(1));
        program.run("question_and_answer", {2}, {1}, talk.at, rounds.at, 100);
        CHECK(program.read(rounds)[0] == 100);
    }
}
