// Lanes that wait for lanes elsewhere in their warp (kernels/meetings.cu): those go on, as on GPUs
// since Volta, and come to the same operation at another place, or leave the kernel.
#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include <fstream>

#include "tests/program.h"
#include "vgpu/work.h"

using namespace vgpu;
using namespace vgpu::test;

namespace {

constexpr std::size_t kLanes = 32;

struct Meetings : Program {
    explicit Meetings(const std::string& variant = "O3") : Program(ptx_of("meetings", variant)) {}
    Array<int> out = array(std::vector<int>(2 * kLanes));

    /// What one warp leaves in out; `findings` becomes what was told.
    template <class... T>
    std::vector<int> run(const std::string& kernel, T... arguments) {
        const std::vector<int> zeros(2 * kLanes);
        device.write(out.at, std::as_bytes(std::span(zeros)));
        const auto result = launch(kernel, {1}, {kLanes}, out.at, arguments...);
        findings.clear();
        for (const Finding& finding : result.findings)
            findings += (findings.empty() ? "" : "\n") + describe(finding);
        return read(out);
    }
    std::string findings;
};

std::string line_of(const std::string& name) {
    std::ifstream file(VGPU_TEST_SOURCE "/meetings.cu");
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.ends_with("HERE " + name)) return fmt::format("meetings.cu:{}", number);
    }
    return "nowhere";
}

/// The values of `function` for lanes 0 to 31, and those of `more` behind them.
template <class Function, class More>
std::vector<int> lanes(Function function, More more) {
    std::vector<int> values;
    for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) values.push_back(function(lane));
    for (int lane = 0; lane < static_cast<int>(kLanes); ++lane) values.push_back(more(lane));
    return values;
}
constexpr int kUndefined = -2;

/// `values`, with kUndefined for what is that.
std::vector<int> known(std::vector<int> values) {
    std::replace_if(values.begin(), values.end(), is_undefined_value, kUndefined);
    return values;
}
int nothing(int) {
    return 0;
}

}  // namespace

TEST_CASE("meetings: lanes that left out a branch go on, and are not waited for once they left") {
    for (const std::string variant : {"O3", "sm90", "G"}) {
        INFO(variant);
        Meetings warp(variant);
        CHECK(warp.run("half_shuffles") ==
              lanes([](int lane) { return lane < 16 ? 100 + (lane ^ 8) : -1; }, nothing));
        CHECK(warp.findings == "");
        CHECK(warp.run("half_votes") ==
              lanes([](int lane) { return lane < 16 ? 0xaaaa : -1; }, nothing));
        CHECK(warp.findings == "");
        CHECK(warp.run("half_meets") ==
              lanes([](int lane) { return lane < 16 ? lane : (lane - 16) ^ 1; },
                    [](int) { return 1; }));
        CHECK(warp.findings == "");
        CHECK(
            warp.run("uneven_rounds", 40) ==
            lanes([](int lane) { return (lane ^ 1) + (lane < 8 ? 32 + (lane ^ 1) : 0); }, nothing));
        CHECK(warp.findings == "");
    }
}

TEST_CASE_METHOD(Meetings, "meetings: lanes that left out a branch have nothing to read there") {
    CHECK(known(run("half_reads_other_half")) ==
          lanes([](int lane) { return lane < 4    ? 112 + lane
                                      : lane < 16 ? kUndefined
                                                  : -1; },
                nothing));
    CHECK(findings == "half_reads_other_half reads from a lane that does not take part at " +
                          line_of("half_reads_other_half") +
                          ", by thread (4,0,0) of block (0,0,0); 12 threads in all: lane 4 reads "
                          "from lane 16, which has left the kernel or was never there");
}

TEST_CASE("meetings: the same operation with the same mask in both branches of an if is one") {
    for (const std::string variant : {"O3", "sm90", "G"}) {
        INFO(variant);
        Meetings warp(variant);
        const auto branch = [](int lane) { return lane < 16 ? 1 : 2; };
        CHECK(
            warp.run("shuffle_in_both_branches") ==
            lanes(
                [](int lane) { return lane < 16 ? 3 * (100 + lane + 16) : 2 * (100 + lane - 16); },
                branch));
        CHECK(warp.findings == "");
        CHECK(warp.run("vote_in_both_branches") ==
              lanes([](int) { return static_cast<int>(0xaaaaaa55); }, [](int) { return 1; }));
        CHECK(warp.findings == "");
        CHECK(warp.run("match_in_both_branches") ==
              lanes(
                  [](int lane) {
                      int same = 0;
                      const auto value = [](int l) { return l < 20 ? l % 2 : l % 4; };
                      for (int other = 0; other < 32; ++other)
                          if (value(other) == value(lane)) same |= static_cast<int>(1u << other);
                      return same;
                  },
                  [](int lane) { return lane < 20 ? 1 : 2; }));
        CHECK(warp.findings == "");
        CHECK(warp.run("tiles_in_both_branches") ==
              lanes([](int lane) { return lane < 16 ? lane ^ 1 : 100 + (lane ^ 1); }, branch));
        CHECK(warp.findings == "");
    }
}

TEST_CASE_METHOD(Meetings, "meetings: a shuffle and a vote do not meet") {
    run("shuffle_and_vote");
    CHECK(findings ==
          "shuffle_and_vote can never end: all of its threads that are left wait at " +
              line_of("shuffle_and_vote") +
              ", by thread (16,0,0) of block (0,0,0): these threads wait for ever, for lanes of "
              "their warp that are elsewhere: what waits for all lanes must not stand in a loop or "
              "a branch that some of them leave out");
}

TEST_CASE_METHOD(Meetings, "meetings: a shuffle in a branch meets the one behind it") {
    CHECK(known(run("shuffle_in_and_behind")) ==
          lanes([](int lane) { return lane < 16 ? 200 + (lane ^ 16) : -1; },
                [](int lane) { return lane < 16 ? kUndefined : 100 + (lane ^ 16); }));
    CHECK(findings == "shuffle_in_and_behind reads from a lane that does not take part at " +
                          line_of("shuffle_in_and_behind") +
                          ", by thread (0,0,0) of block (0,0,0); 16 threads in all: lane 0 reads "
                          "from lane 16, which has left the kernel or was never there");
}

TEST_CASE_METHOD(Meetings, "meetings: lanes go on though another warp runs in a loop for them") {
    const auto flag = array(std::vector<int>(1));
    const auto result = launch("half_shuffles_half_signals", {1}, {64}, out.at, flag.at);
    CHECK(result.outcome == Outcome::ok);
    CHECK(result.findings.empty());
    const auto got = read(out);
    for (std::size_t lane = 0; lane < kLanes; ++lane)
        CHECK(got[lane] == (lane < 16 ? 100 + static_cast<int>(lane ^ 8) : -1));
    CHECK(got[kLanes] == 7);
}
