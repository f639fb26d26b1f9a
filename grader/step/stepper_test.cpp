// The keys of the terminal's stepper, and where they lead.
#include <algorithm>
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
    CHECK(stepper.key_line() == "arrows step, lane  n line  b barrier  w warp  q quit");
}

TEST_CASE("stepper: other orders, other launches, the reference, and back") {
    const StepperPage two = page();
    Stepper stepper(two);
    CHECK(stepper.key_line() ==
          "arrows step/lane n line b barrier w warp m mistake o order l launch r ref q quit");
    CHECK(stepper.key_line().size() <= 80);
    stepper.press(StepKey::other_order);
    CHECK(stepper.position().run == 2);
    stepper.press(StepKey::other_order);
    CHECK(stepper.position().run == 1);
    stepper.press(StepKey::reference);
    CHECK(stepper.position().run == 3);
    stepper.press(StepKey::reference);
    CHECK(stepper.position().run == 1);
    stepper.press(StepKey::launch);
    CHECK(stepper.position().run == 0);
    stepper.press(StepKey::launch_back);
    CHECK(stepper.position().run == 1);
}

TEST_CASE("stepper: another order and the reference begin at the same moment") {
    StepperPage page;
    page.runs = {test_run(), test_run(), test_run()};
    page.runs[2].is_reference = true;
    label_orders(page.runs);
    // Order B: warp 1 first. The reference: warp 1 reads no element of a.
    auto& b = page.runs[1].recording.steps;
    std::rotate(b.begin(), b.begin() + 4, b.begin() + 6);
    auto& reference = page.runs[2].recording.steps;
    reference.erase(reference.begin() + 4);
    Stepper stepper(page);
    stepper.press(StepKey::warp);
    stepper.press(StepKey::access);
    stepper.press(StepKey::lane);
    CHECK(stepper.position().step == 5);  // warp 1's second access
    stepper.press(StepKey::other_order);
    CHECK(stepper.position().run == 1);
    CHECK(stepper.position().step == 1);
    CHECK(stepper.position().lane == 1);
    stepper.press(StepKey::other_order);
    CHECK(stepper.position().step == 5);
    stepper.press(StepKey::reference);
    CHECK(stepper.position().run == 2);
    CHECK(stepper.position().step == 5);  // it waits: its second stop
    stepper.press(StepKey::reference);
    CHECK(stepper.position().run == 0);
    CHECK(stepper.position().step == 5);
    stepper.press(StepKey::reference);
    stepper.press(StepKey::access_back);  // its first: after a move, the same moment again
    stepper.press(StepKey::reference);
    CHECK(stepper.position().step == 4);
}

TEST_CASE("stepper: exactly back, also from where the reference has fewer steps") {
    StepperPage page;
    page.runs = {test_run(), test_run()};
    page.runs[1].is_reference = true;
    auto& reference = page.runs[1].recording.steps;
    reference.erase(reference.begin() + 2, reference.end() - 2);  // two accesses of warp 0
    Stepper stepper(page);
    for (int i = 0; i < 3; ++i) stepper.press(StepKey::access);
    stepper.press(StepKey::lane);
    CHECK(stepper.position().step == 3);
    stepper.press(StepKey::reference);
    CHECK(stepper.position().step == 1);  // its last of that warp
    stepper.press(StepKey::reference);
    CHECK(stepper.position().step == 3);
    CHECK(stepper.position().lane == 1);
    stepper.press(StepKey::warp);
    stepper.press(StepKey::reference);
    CHECK(stepper.position().step == 0);  // it has no warp 1 with a stop: its first
    stepper.press(StepKey::reference);
    CHECK(stepper.position().step == 4);
}

TEST_CASE("stepper: from a mark to its counterpart") {
    const StepperPage two = page();
    Stepper stepper(two);
    stepper.press(StepKey::mistake);
    CHECK(stepper.position().step == 2);
    stepper.press(StepKey::other_order);
    CHECK(stepper.position().run == 2);
    CHECK(stepper.position().step == 2);
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
    CHECK(keys_in("x\x1b[Zy\x1b") == Keys(4, StepKey::unknown));
    // Ctrl and arrow, Delete, Alt and b: none of them is a "b" or another key.
    CHECK(keys_in("\x1b[1;5C\x1b[3~\x1b"
                  "bq") ==
          Keys{StepKey::unknown, StepKey::unknown, StepKey::unknown, StepKey::quit});
    CHECK(keys_in("").empty());
}

TEST_CASE("stepper: a key that leads nowhere says why, once") {
    StepperPage right;
    right.runs = {test_run()};
    Stepper stepper(right);
    CHECK(stepper.notice().empty());
    stepper.press(StepKey::barrier_back);
    CHECK(stepper.notice() == "No earlier barrier.");
    stepper.press(StepKey::barrier);
    CHECK(stepper.notice().empty());
    stepper.press(StepKey::barrier);
    CHECK(stepper.notice() == "No later barrier.");
    stepper.press(StepKey::other_order);
    CHECK(stepper.notice() == "No other order is recorded.");
    stepper.press(StepKey::mistake);
    CHECK(stepper.notice() == "No step is marked here.");
    stepper.press(StepKey::unknown);
    CHECK(stepper.notice().find("no meaning") != std::string::npos);
    stepper.press(StepKey::lane);
    CHECK(stepper.notice().empty());
}
