// `lab dev calibrate`, end to end: on the virtual GPU a reference is as fast as itself.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

Grading calibrate(const std::string& lab, const std::string& test) {
    return run_lab(
        {"dev", "calibrate", lab, "--times", "2", "--test", test, "--device", "vgpu", "--json"});
}

}  // namespace

TEST_CASE("calibrate: on the virtual GPU ratios are exactly 1") {
    const Grading run = calibrate("02", "x the reference");
    INFO(run.text);
    CHECK(run.exit_code == 0);
    const auto line = run.line("calibration");
    REQUIRE(line.is_object());
    CHECK(line.at("judged_on") == "counts");
    CHECK(line.at("spread") == 0);
    REQUIRE(line.at("races").size() == 2);
    for (const auto& race : line.at("races")) {
        CHECK(race.at("ratio") == 1.0);
        CHECK(race.at("low") == 1.0);
        CHECK(race.at("high") == 1.0);
    }
    CHECK(line.at("needed_spread") == 0);
    CHECK(line.at("highest_threshold") == 1);
    CHECK(line.at("false_fails") == 0);
    CHECK(line.at("false_fails_at").back().at("threshold") == 1.0);
    CHECK(line.at("false_fails_at").back().at("share") == 0);
}

TEST_CASE("calibrate: on the modelled timeline, too, but for a part in ten thousand") {
    const Grading run = calibrate("09", "x the reference");
    INFO(run.text);
    CHECK(run.exit_code == 0);
    int tests = 0;
    for (const auto& line : run.lines) {
        if (line.value("type", "") != "calibration") continue;
        ++tests;
        CHECK(line.at("judged_on") == "timeline");
        // Processes do not differ, but for times in whole nanoseconds, which are extrapolated.
        CHECK(line.at("between_processes").get<double>() < 1e-4);
        REQUIRE(line.at("races").size() == 2);
        for (const auto& race : line.at("races"))
            CHECK(std::abs(race.at("ratio").get<double>() - 1) < 1e-4);
    }
    CHECK(tests == 3);
}

TEST_CASE("calibrate: what is no race is said, and a name that no test has") {
    const Grading text =
        run_lab({"dev", "calibrate", "01", "--times", "1", "--test", "n = 0", "--device", "vgpu"});
    INFO(text.text);
    CHECK_THAT(text.text, ContainsSubstring("No test of these is a race."));
    CHECK(run_lab({"dev", "calibrate", "02", "--times", "0"}).exit_code == 2);
}
