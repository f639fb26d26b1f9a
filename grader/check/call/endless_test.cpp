#include "check/call/endless.h"

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

Outcome stopped(const std::string& kernel = "add_kernel(int*)") {
    Outcome outcome = ended(kUsual);
    outcome.records.launches.front().outcome = "launch_timeout";
    vgpu::Finding finding;
    finding.check = vgpu::Check::instruction_limit;
    finding.kernel = kernel;
    outcome.records.findings.push_back(finding);
    return outcome;
}

}  // namespace

TEST_CASE("endless: functions whose kernels end keep the usual limit, and all calls are made") {
    Endless endless;
    endless.note("add", ended(40'000'000), "add: sizes");
    CHECK(endless.limit("add", kUsual) == kUsual);
    CHECK(endless.hung_before("add").empty());
    CHECK(endless.stopped_again("add", ended(1)).empty());
    CHECK(!endless.may_be_long("add", stopped()));
}

TEST_CASE("endless: once a kernel was stopped, no launch gets more than it is likely to need") {
    Endless endless;
    CHECK(endless.stopped_again("add", stopped()).empty());
    endless.note("mul", ended(4'000'000), "mul: sizes");
    endless.note("add", stopped(), "add: sizes");
    CHECK(endless.limit("add", kUsual) == 2'000'000);
    CHECK(endless.limit("add", 1'000) == 1'000);
    CHECK(endless.limit("mul", kUsual) == 32'000'000);
    CHECK(endless.stopped_again("add", ended(1)).empty());
    CHECK(endless.stopped_again("add", stopped()) ==
          "Not graded: a kernel of add never finished here either. The first time is reported in "
          "\"add: sizes\".");
}

TEST_CASE("endless: a kernel that was stopped is known whoever launches it, others get more time") {
    Endless endless;
    endless.note("launch_add", stopped(), "launch_add: sizes");
    CHECK(!endless.may_be_long("add", stopped()));
    CHECK(endless.stopped_again("add", stopped()) ==
          "Not graded: a kernel of add never finished here either. The first time is reported in "
          "\"launch_add: sizes\".");
    CHECK(endless.may_be_long("mul", stopped("mul_kernel(int*)")));
    CHECK(endless.stopped_again("mul", stopped("mul_kernel(int*)")).empty());
    CHECK(!endless.may_be_long("mul", ended(1)));
    CHECK(!endless.may_be_long("launch_add", stopped("another_kernel(int*)")));
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
