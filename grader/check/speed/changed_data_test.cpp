#include "check/speed/changed_data.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "check/speed_against_reference.h"
#include "check/submission.h"

using namespace lab;

LAB_FUNCTION(void, rotate, (const float* x, const float* w, const int* turns, float* y, int n),
             lab::device_in("x", "n").kept_as_made(), lab::device_in("w", "n"),
             lab::device_in("turns", "n"), lab::device_out("y", "n"), lab::value("n"))

namespace {

/// What the answer of a timed call is computed from.
struct Seen {
    std::vector<float> x, w;
    std::vector<int> turns;
};

}  // namespace

TEST_CASE("changed data: mantissas of floats change and come back, whatever else there is stays") {
    const Seen made{{1, -2, 0.0625F}, {1, -2, 0.0625F}, {1, 2, 3}};
    Seen seen;
    const auto answer = [&](const auto& x, const auto& w, const auto& turns, auto...) {
        seen = {x, w, turns};
        return equals(x);
    };
    SpeedPlan plan =
        detail::plan_speed_test<rotate>(answer, std::tuple(made.x, made.w, made.turns, out, 3));
    Marshalled call = marshal(plan.call, false, 1);

    change_data(plan, call, {0, 7});
    plan.make_check();
    CHECK(seen.x == made.x);
    CHECK(seen.turns == made.turns);
    // Of three floats the first two are eight bytes, and change.
    REQUIRE(seen.w.size() == 3);
    for (const std::size_t i : {0U, 1U}) {
        CHECK(seen.w[i] != made.w[i]);
        CHECK(std::signbit(seen.w[i]) == std::signbit(made.w[i]));
        CHECK(std::ilogb(seen.w[i]) == std::ilogb(made.w[i]));
    }

    change_data(plan, call, {7, 0});
    plan.make_check();
    CHECK(seen.w == made.w);
}
