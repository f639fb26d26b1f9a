// Races of blocks that go by a flag (kernels/fences.cu): where only the fence is missing, that is
// what the user reads.
#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include <fstream>

#include "tests/program.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

constexpr unsigned kThreads = 64;

struct Fences : Program {
    Fences() : Program(ptx_of("fences")) {}

    /// The report on two blocks, one that writes and one that reads.
    std::string told(const std::string& kernel) {
        const auto data = array(std::vector<int>(kThreads), "data"),
                   flag = array(std::vector<int>(1), "flag"),
                   out = array(std::vector<int>(kThreads), "out");
        const auto result = launch(kernel, {2}, {kThreads}, data.at, flag.at, out.at);
        CHECK(result.outcome == Outcome::ok);
        std::string text;
        for (const Finding& finding : result.findings)
            text += (text.empty() ? "" : "\n") + describe(finding);
        return text;
    }
};

int line_of(const std::string& mark) {
    std::ifstream file(VGPU_TEST_SOURCE "/fences.cu");
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.ends_with("// " + mark)) return number;
    }
    return 0;
}

/// The race of one kernel: who reads what whom wrote, up to what explains it.
std::string race(const std::string& kernel, const std::string& by, const std::string& other) {
    return fmt::format(
        "{0} reads 4 bytes of data that thread {1} of block (0,0,0) writes in line "
        "{2}, and nothing orders the two at fences.cu:{3}, by {4}",
        kernel, other, line_of("FIRST " + kernel), line_of("THEN " + kernel), by);
}

const std::string kFence =
    ": a flag is set after the first and looked at before the second, but without a fence "
    "(__threadfence()) another block may see the flag before it sees the data";
const std::string kAllOfBlock = "thread (0,0,0) of block (1,0,0); 64 conflicts in all";

}  // namespace

TEST_CASE_METHOD(Fences, "fences: a flag or a counter without a fence lacks the fence") {
    CHECK(told("flag_without_fence") ==
          race("flag_without_fence", kAllOfBlock, "(0,0,0)") + kFence);
    // The second warp runs after the first, so its fence comes after the first one's data.
    CHECK(told("fence_before_data") == race("fence_before_data",
                                            "thread (32,0,0) of block (1,0,0); 32 conflicts in all",
                                            "(32,0,0)") +
                                           kFence);
    CHECK(told("counter_without_fence") ==
          race("counter_without_fence", "thread (0,0,0) of block (1,0,0)", "(0,0,0)") + kFence);
}

TEST_CASE_METHOD(Fences, "fences: where more is missing, no fence is asked for") {
    CHECK(told("flag_without_reader") == race("flag_without_reader", kAllOfBlock, "(0,0,0)"));
    CHECK(told("sum_is_no_flag") == race("sum_is_no_flag", kAllOfBlock, "(0,0,0)"));
}
