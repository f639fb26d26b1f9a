// Measures how far speed tests can be trusted. It times the reference against itself, repeatedly,
// each time in fresh processes and on different data. The true ratio is 1, so every FAIL at a
// threshold of 1 or less is false, and the spread of the ratios is the spread between processes.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "base/files.h"
#include "core/results.h"

// Any submission can take the reference's place, to see whether its verdicts agree.

namespace lab {

struct CalibrateRequest {
    int times = 20;
    fs::path file{};         ///< graded instead of the lab's solution; empty: that
    std::string only_tests;  ///< part of a name; empty: all of the lab, of speed or not
};

/// One speed test that ran, mostly of the reference against itself.
struct SpeedRun {
    double ratio = 0, low = 0, high = 0;
    Verdict verdict = Verdict::not_run;
};

/// Another program used the GPU meanwhile, or it was slowed down: its times mean nothing.
struct DisturbedRun {
    Verdict verdict = Verdict::not_run;
    std::vector<std::string> by;  ///< sentences
};

/// All runs of one test.
struct SpeedCalibration {
    std::string lab, test;
    std::string judged_on;       ///< "time"; on the virtual GPU "counts" or "timeline"
    double threshold = 0;        ///< the lab's own
    double spread = 0;           ///< by which the checker widened the intervals
    std::vector<SpeedRun> runs;  ///< but for those that were disturbed
    std::vector<DisturbedRun> disturbed;
    int not_timed = 0;  ///< gradings in which the test did not get as far as timing
    std::string why_not_timed;
};

/// Grades the lab's solution, or the file, several times, as `grade` does, and gathers its speed
/// tests, one entry for each. `report` is called after each grading.
std::vector<SpeedCalibration> calibrate_lab(const Project& project, const Lab& lab,
                                            const Device& device, const CalibrateRequest& request,
                                            const std::function<void(int done)>& report);

/// The number of speed tests with this verdict, disturbed ones included.
std::size_t verdicts(const SpeedCalibration& calibration, Verdict verdict);

/// Thresholds, in addition to the lab's own, at which false FAILs are counted.
inline constexpr std::array kThresholds = {0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 1.0};

/// A summary of the runs of one speed test.
struct Calibrated {
    double median = 0, lowest = 0, highest = 0;  ///< of the ratios
    double between_processes = 0;                ///< from lowest to highest, by the median
    /// The amount by which to widen an interval from one set of processes so that all of these
    /// contain 1.
    double needed_spread = 0;
    /// The largest threshold, in steps of 0.01, at which all would have passed; 0: none.
    double highest_threshold = 0;
    double false_fails = 0;                                   ///< share at the lab's own threshold
    std::array<double, kThresholds.size()> false_fails_at{};  ///< at kThresholds
};

/// Summarises at least one run. Verdicts at other thresholds use the intervals as they are, though
/// a run close to one of them would have gone on for some more rounds.
Calibrated summarise(const SpeedCalibration& calibration);

}  // namespace lab
