// Tests the summary of speed tests with known numbers.
#include "author/calibrate.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using namespace lab;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double kSpread = 0.01;

/// A run whose interval was [low, high] before the checker widened it.
SpeedRun run(double low, double ratio, double high) {
    return {ratio, low * (1 - kSpread), high * (1 + kSpread), Verdict::pass};
}

SpeedCalibration runs(std::vector<SpeedRun> all) {
    SpeedCalibration calibration;
    calibration.threshold = 0.45;
    calibration.spread = kSpread;
    calibration.runs = std::move(all);
    return calibration;
}

double false_fails(const Calibrated& summary, double threshold) {
    for (std::size_t i = 0; i < kThresholds.size(); ++i)
        if (kThresholds[i] == threshold) return summary.false_fails_at[i];
    FAIL("no such threshold");
    return -1;
}

}  // namespace

TEST_CASE("calibrate: median, ends and the spread between processes") {
    const Calibrated summary =
        summarise(runs({run(0.99, 1.0, 1.01), run(0.97, 0.98, 1.0), run(1.0, 1.02, 1.03)}));
    CHECK(summary.median == 1.0);
    CHECK(summary.lowest == 0.98);
    CHECK(summary.highest == 1.02);
    CHECK_THAT(summary.between_processes, WithinAbs(0.04, 1e-12));
    CHECK(summary.needed_spread == 0);
    CHECK(summary.false_fails == 0);
    // The lowest interval begins at 0.97, widened 0.9603.
    CHECK(summary.highest_threshold == 0.96);
}

TEST_CASE("calibrate: verdicts are counted") {
    SpeedCalibration calibration = runs({run(0.4, 0.44, 0.5), run(0.4, 0.45, 0.5)});
    calibration.runs[1].verdict = Verdict::inconclusive;
    CHECK(verdicts(calibration, Verdict::pass) == 1);
    CHECK(verdicts(calibration, Verdict::inconclusive) == 1);
    CHECK(verdicts(calibration, Verdict::fail) == 0);
    calibration.disturbed = {{Verdict::pass, {"The GPU was hot"}}};
    CHECK(verdicts(calibration, Verdict::pass) == 2);
}

TEST_CASE("calibrate: the spread that is needed closes the gap to 1, on either side") {
    CHECK_THAT(summarise(runs({run(1.02, 1.03, 1.04)})).needed_spread,
               WithinAbs(1 - 1 / 1.02, 1e-9));
    CHECK_THAT(summarise(runs({run(0.9, 0.94, 0.96)})).needed_spread,
               WithinAbs(1 / 0.96 - 1, 1e-9));
    // The worst of all counts.
    CHECK_THAT(summarise(runs({run(0.99, 1.0, 1.01), run(0.9, 0.94, 0.96), run(1.01, 1.02, 1.03)}))
                   .needed_spread,
               WithinAbs(1 / 0.96 - 1, 1e-9));
}

TEST_CASE("calibrate: false fails are counted at the lab's threshold and at others") {
    // Widened, the upper ends are 0.4343, 0.909, 0.9797 and 1.01.
    const Calibrated summary = summarise(
        runs({run(0.4, 0.42, 0.43), run(0.8, 0.85, 0.9), run(0.9, 0.94, 0.97), run(0.99, 1, 1)}));
    CHECK(summary.false_fails == 0.25);
    CHECK(false_fails(summary, 0.9) == 0.25);
    CHECK(false_fails(summary, 0.95) == 0.5);
    CHECK(false_fails(summary, 0.97) == 0.5);
    CHECK(false_fails(summary, 0.98) == 0.75);
    CHECK(false_fails(summary, 1.0) == 0.75);
    CHECK(summary.highest_threshold == 0.39);
}

TEST_CASE("calibrate: exact ratios need nothing") {
    SpeedCalibration counted = runs({{1, 1, 1, Verdict::pass}, {1, 1, 1, Verdict::pass}});
    counted.spread = 0;
    const Calibrated summary = summarise(counted);
    CHECK(summary.between_processes == 0);
    CHECK(summary.needed_spread == 0);
    CHECK(summary.highest_threshold == 1);
    CHECK(false_fails(summary, 1.0) == 0);
    counted.runs[0].ratio = counted.runs[0].low = counted.runs[0].high = 1 - 1e-15;
    CHECK(false_fails(summarise(counted), 1.0) == 0);
    CHECK(summarise(counted).highest_threshold == 1);
}
