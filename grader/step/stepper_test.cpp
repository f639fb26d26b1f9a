// The keys of the terminal's stepper, and where they lead.
#include <catch2/catch_test_macros.hpp>

#include "step/stepper.h"
#include "step/tests/test_run.h"

using namespace lab;

namespace {

/// Two launches, the second in two orders and wrong, and the reference's first.
StepperPage page() {
    StepperPage page;
    for (const std::uint64_t launch : {1u, 2u, 2u, 1u}) {
        page.runs.push_back(test_run());
        page.runs.back().launch = launch;
    }
    page.runs[1].recording.findings = page.runs[2].recording.findings = {test_race()};
    page.runs[3].is_reference = true;
    label_orders(page.runs);
    return page;
}

}  // namespace

TEST_CASE("stepper: begins at the mistake, and m goes round its sides") {
    const StepperPage two = page();
    Stepper stepper(two);
    CHECK(stepper.position().run == 1);
    CHECK(stepper.position().step == 5);
    CHECK(stepper.position().lane == 3);
    stepper.press(StepKey::mistake);
    CHECK(stepper.position().step == 2);
    stepper.press(StepKey::mistake);
    CHECK(stepper.position().step == 5);
}

TEST_CASE("stepper: without a mistake it begins at the first access") {
    StepperPage right;
    right.runs = {test_run()};
    Stepper stepper(right);
    CHECK(stepper.position().step == 0);
    stepper.press(StepKey::access);
    stepper.press(StepKey::access);
    CHECK(stepper.position().step == 2);
    stepper.press(StepKey::access_back);
    CHECK(stepper.position().step == 1);
    stepper.press(StepKey::mistake);
    stepper.press(StepKey::other_order);
    stepper.press(StepKey::reference);
    stepper.press(StepKey::launch);
    CHECK(stepper.position().step == 1);
    CHECK(stepper.key_line() == "arrows step  n line  b barrier  w warp  q quit");
}

TEST_CASE("stepper: other orders, other launches, the reference, and back") {
    const StepperPage two = page();
    Stepper stepper(two);
    CHECK(stepper.key_line() ==
          "arrows step  n line  b barrier  w warp  m mistake  o order  l launch  r reference  q "
          "quit");
    stepper.press(StepKey::other_order);
    CHECK(stepper.position().run == 2);
    stepper.press(StepKey::other_order);
    CHECK(stepper.position().run == 1);
    stepper.press(StepKey::reference);
    CHECK(stepper.position().run == 3);
    stepper.press(StepKey::reference);
    CHECK(stepper.position().run == 0);  // the launch that the reference's belongs to
    stepper.press(StepKey::launch);
    CHECK(stepper.position().run == 1);
    stepper.press(StepKey::launch_back);
    CHECK(stepper.position().run == 0);
}

TEST_CASE("stepper: the chosen lane stays while it works") {
    StepperPage right;
    right.runs = {test_run()};
    Stepper stepper(right);
    stepper.press(StepKey::lane_back);
    CHECK(stepper.position().lane == 31);
    stepper.press(StepKey::access);
    CHECK(stepper.position().lane == 31);
    stepper.press(StepKey::warp);  // whose first 28 lanes work
    CHECK(stepper.position().lane == 0);
    stepper.press(StepKey::lane);
    CHECK(stepper.position().lane == 1);
}

TEST_CASE("stepper: keys as terminals send them") {
    using Keys = std::vector<StepKey>;
    CHECK(keys_in("\x1b[C\x1b[D\x1bOC") ==
          Keys{StepKey::access, StepKey::access_back, StepKey::access});
    CHECK(keys_in("nNbBwWmolLrq") == Keys{StepKey::line, StepKey::line_back, StepKey::barrier,
                                          StepKey::barrier_back, StepKey::warp, StepKey::warp_back,
                                          StepKey::mistake, StepKey::other_order, StepKey::launch,
                                          StepKey::launch_back, StepKey::reference, StepKey::quit});
    CHECK(keys_in("x\x1b[Zy\x1b").empty());
}
