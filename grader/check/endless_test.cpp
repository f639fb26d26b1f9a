#include "check/endless.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

constexpr std::uint64_t kUsual = 50'000'000;

Outcome ended(std::uint64_t warp_instructions) {
    Outcome outcome;
    LaunchRecord launch;
    launch.outcome = "ok";
    launch.warp_instructions = warp_instructions;
    outcome.records.launches.push_back(launch);
    return outcome;
}

Outcome stopped() {
    Outcome outcome = ended(kUsual);
    outcome.records.launches.front().outcome = "launch_timeout";
    outcome.records.findings.push_back({{"check", "instruction_limit"}});
    return outcome;
}

}  // namespace

TEST_CASE("endless: functions whose kernels end keep the usual limit, and all calls are made") {
    Endless endless;
    endless.note("add", ended(40'000'000), "add: sizes");
    CHECK(endless.limit("add", kUsual) == kUsual);
    CHECK(endless.hung_before("add").empty());
    CHECK(endless.stopped_again("add", ended(1)).empty());
}

TEST_CASE("endless: a function whose kernel was stopped gets little from then on, others do not") {
    Endless endless;
    CHECK(endless.stopped_again("add", stopped()).empty());
    endless.note("add", stopped(), "add: sizes");
    endless.note("mul", ended(40'000'000), "mul: sizes");
    CHECK(endless.limit("add", kUsual) == 2'000'000);
    CHECK(endless.limit("add", 1'000) == 1'000);
    CHECK(endless.limit("mul", kUsual) == kUsual);
    CHECK(endless.stopped_again("mul", stopped()).empty());
    CHECK(endless.stopped_again("add", ended(1)).empty());
    CHECK(endless.stopped_again("add", stopped()) ==
          "Not graded: a kernel of add never finished here either. The first time is reported in "
          "\"add: sizes\".");
}

TEST_CASE("endless: what launches took that ended counts, in whatever order") {
    Endless endless;
    endless.note("add", ended(1'000'000), "add: sizes");
    endless.note("add", stopped(), "add: any size");
    endless.note("add", ended(900'000), "add: other sizes");
    CHECK(endless.limit("add", kUsual) == 8'000'000);
}

TEST_CASE("endless: a function that hung is not called again, others are") {
    Endless endless;
    Outcome hung;
    hung.ended = Ended::timed_out;
    endless.note("pipeline", hung, "pipeline: any size");
    CHECK(endless.hung_before("pipeline") ==
          "Not run: pipeline never returned in \"pipeline: any size\".");
    CHECK(endless.hung_before("time_kernel").empty());
}
