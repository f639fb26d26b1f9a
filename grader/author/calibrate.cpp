#include "author/calibrate.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "core/grade.h"

namespace lab {
namespace {

/// The possible error of a ratio, from sums of doubles on the modelled timeline.
constexpr double kRounding = 1e-9;

SpeedCalibration& entry_of(std::vector<SpeedCalibration>& all, const std::string& lab,
                           const std::string& test) {
    const auto known = std::find_if(
        all.begin(), all.end(), [&](const SpeedCalibration& entry) { return entry.test == test; });
    if (known != all.end()) return *known;
    all.emplace_back();
    all.back().lab = lab;
    all.back().test = test;
    return all.back();
}

void add(SpeedCalibration& entry, const TestResult& test) {
    if (!test.speed) {
        ++entry.not_timed;
        entry.why_not_timed = test.message;
        return;
    }
    entry.judged_on = test.speed->judged_on;
    entry.threshold = test.speed->threshold;
    entry.spread = test.speed->spread;
    if (!test.speed->disturbed_by.empty()) {
        entry.disturbed.push_back({test.verdict, test.speed->disturbed_by});
        return;
    }
    entry.runs.push_back({test.speed->ratio, test.speed->low, test.speed->high, test.verdict});
}

/// The amount by which an interval [low, high], already widened by `spread`, misses 1.
double lacking(const SpeedRun& run, double spread) {
    const double low = run.low / (1 - spread), high = run.high / (1 + spread);
    if (low > 1) return 1 - 1 / low;
    if (high < 1 && high > 0) return 1 / high - 1;
    return 0;
}

double share_failing(const std::vector<SpeedRun>& runs, double threshold) {
    const auto failing = std::count_if(runs.begin(), runs.end(), [&](const SpeedRun& run) {
        return run.high < threshold - kRounding;
    });
    return static_cast<double>(failing) / static_cast<double>(runs.size());
}

}  // namespace

std::vector<SpeedCalibration> calibrate_lab(const Project& project, const Lab& lab,
                                            const Device& device, const CalibrateRequest& request,
                                            const std::function<void(int done)>& report) {
    std::vector<SpeedCalibration> all;
    for (int time = 1; time <= request.times; ++time) {
        GradeRequest grading_request;
        grading_request.file = request.file.empty() ? project.root / lab.solution() : request.file;
        grading_request.seed = static_cast<std::uint64_t>(time);
        grading_request.only_tests = request.only_tests;
        const Grading grading = grade(project, lab, device, grading_request);
        if (!grading.built) {
            if (!request.file.empty()) throw build_failure(grading.build_message);
            throw own_fault(grading.build_message);
        }
        for (const TestResult& test : grading.checked.tests)
            if (test.kind == "speed") add(entry_of(all, lab.name, test.name), test);
        report(time);
    }
    return all;
}

std::size_t verdicts(const SpeedCalibration& calibration, Verdict verdict) {
    return static_cast<std::size_t>(
        std::ranges::count(calibration.runs, verdict, &SpeedRun::verdict) +
        std::ranges::count(calibration.disturbed, verdict, &DisturbedRun::verdict));
}

Calibrated summarise(const SpeedCalibration& calibration) {
    const std::vector<SpeedRun>& runs = calibration.runs;
    Calibrated result;
    std::vector<double> ratios;
    double lowest_bound = runs.front().low;
    for (const SpeedRun& run : runs) {
        ratios.push_back(run.ratio);
        lowest_bound = std::min(lowest_bound, run.low);
        result.needed_spread = std::max(result.needed_spread, lacking(run, calibration.spread));
    }
    result.median = median(ratios);
    result.lowest = *std::min_element(ratios.begin(), ratios.end());
    result.highest = *std::max_element(ratios.begin(), ratios.end());
    if (result.median > 0)
        result.between_processes = (result.highest - result.lowest) / result.median;
    result.highest_threshold = std::max(0.0, std::floor((lowest_bound + kRounding) * 100) / 100);
    result.false_fails = share_failing(runs, calibration.threshold);
    for (std::size_t i = 0; i < kThresholds.size(); ++i)
        result.false_fails_at[i] = share_failing(runs, kThresholds[i]);
    return result;
}

}  // namespace lab
