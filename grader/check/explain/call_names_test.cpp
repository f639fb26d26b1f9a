#include "check/explain/call_names.h"

#include <catch2/catch_test_macros.hpp>

#include "check/submission.h"

using namespace lab;

LAB_FUNCTION(void, names_add, (const float* a, float* c, int n), lab::device_in("a", "n"),
             lab::device_out("c", "n"), lab::value("n"))

namespace {

constexpr std::uint64_t kBase = 0x2000'0000'1000, kFar = 0x100'000;

struct Setup {
    std::vector<float> a = std::vector<float>(100);
    CallPlan plan = detail::plan_call<names_add>(a, out, 100);
    Marshalled marshalled = marshal(plan, true, 1);
    Outcome outcome;
    CallSetting setting;

    Setup() {
        outcome.page.addresses[0] = kBase;
        outcome.page.addresses[1] = kBase + kFar;
    }
    CallNames names() const { return {plan, marshalled, outcome, setting}; }
};

}  // namespace

TEST_CASE("call names: arrays as the contract does, other memory as the device does") {
    const Setup call;
    const auto names = call.names();
    CHECK(names.allocation({kBase, 400, "cudaMalloc #1"}) == "a");
    CHECK(names.allocation({kBase + kFar, 400, "cudaMalloc #12"}) == "c");
    CHECK(names.variable({kBase + kFar, 400, "cudaMalloc #12"}) == "c");
    CHECK(names.allocation_with_size({kBase + kFar, 400, "cudaMalloc #12"}) ==
          "c (n = 100 floats)");
    // Its number begins with that of another.
    CHECK(names.allocation({7, 40, "cudaMalloc #123"}) == "cudaMalloc #123");
    CHECK(names.variable({7, 40, "cudaMalloc #123"}).empty());
    CHECK(names.allocation_with_size({7, 40, "cudaMalloc #123"}) == "cudaMalloc #123 (40 bytes)");
    CHECK(names.allocation({0, 40, "tile"}) == "tile");
}

TEST_CASE("call names: the source as typed, the call's own streams, who calls, what was stopped") {
    Setup call;
    call.setting.real_source = "/elsewhere/copy.cu";
    call.setting.display_source = "labs/x/add.cu";
    call.outcome.records.operations = {OperationRecord{"kernel f()", 1, 178, "kernels", 0, 1}};
    const auto names = call.names();
    CHECK(names.file("/elsewhere/copy.cu") == "labs/x/add.cu");
    CHECK(names.file("/elsewhere/other.h") == "/elsewhere/other.h");
    CHECK(names.stream(178) == 1);
    CHECK(names.stream(17) == 17);
    CHECK(names.host_code("main()") == "host code in main()");
    CHECK(names.host_code("lab::runner::copy_back()") ==
          "the caller, when the function has returned,");
    CHECK(names.stopped() == "never finished");
    call.plan.for_speed = true;
    CHECK(call.names().stopped() == "was stopped");
}
