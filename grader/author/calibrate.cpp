#include "author/calibrate.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "core/grade.h"

namespace lab {
namespace {

/// The possible error of a ratio, from sums of doubles on the modelled timeline.
constexpr double kRounding = 1e-9;

RaceCalibration& entry_of(std::vector<RaceCalibration>& all, const std::string& lab,
                          const std::string& test) {
    const auto known = std::find_if(
        all.begin(), all.end(), [&](const RaceCalibration& entry) { return entry.test == test; });
    if (known != all.end()) return *known;
    all.emplace_back();
    all.back().lab = lab;
    all.back().test = test;
    return all.back();
}

void add(RaceCalibration& entry, const TestResult& test) {
    if (!test.race) {
        ++entry.not_raced;
        entry.why_not_raced = test.message;
        return;
    }
    entry.judged_on = test.race->judged_on;
    entry.threshold = test.race->threshold;
    entry.spread = test.race->spread;
    if (!test.race->disturbed_by.empty()) {
        entry.disturbed.push_back({test.verdict, test.race->disturbed_by});
        return;
    }
    entry.races.push_back({test.race->ratio, test.race->low, test.race->high, test.verdict});
}

/// The amount by which an interval [low, high], already widened by `spread`, misses 1.
double lacking(const OneRace& race, double spread) {
    const double low = race.low / (1 - spread), high = race.high / (1 + spread);
    if (low > 1) return 1 - 1 / low;
    if (high < 1 && high > 0) return 1 / high - 1;
    return 0;
}

double share_failing(const std::vector<OneRace>& races, double threshold) {
    const auto failing = std::count_if(races.begin(), races.end(), [&](const OneRace& race) {
        return race.high < threshold - kRounding;
    });
    return static_cast<double>(failing) / static_cast<double>(races.size());
}

}  // namespace

std::vector<RaceCalibration> calibrate_lab(const Project& project, const Lab& lab,
                                           const Device& device, const CalibrateRequest& request,
                                           const std::function<void(int done)>& report) {
    std::vector<RaceCalibration> all;
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

std::size_t verdicts(const RaceCalibration& calibration, Verdict verdict) {
    return static_cast<std::size_t>(
        std::ranges::count(calibration.races, verdict, &OneRace::verdict) +
        std::ranges::count(calibration.disturbed, verdict, &DisturbedRace::verdict));
}

Calibrated summarise(const RaceCalibration& calibration) {
    const std::vector<OneRace>& races = calibration.races;
    Calibrated result;
    std::vector<double> ratios;
    double lowest_bound = races.front().low;
    for (const OneRace& race : races) {
        ratios.push_back(race.ratio);
        lowest_bound = std::min(lowest_bound, race.low);
        result.needed_spread = std::max(result.needed_spread, lacking(race, calibration.spread));
    }
    result.median = median(ratios);
    result.lowest = *std::min_element(ratios.begin(), ratios.end());
    result.highest = *std::max_element(ratios.begin(), ratios.end());
    if (result.median > 0)
        result.between_processes = (result.highest - result.lowest) / result.median;
    result.highest_threshold = std::max(0.0, std::floor((lowest_bound + kRounding) * 100) / 100);
    result.false_fails = share_failing(races, calibration.threshold);
    for (std::size_t i = 0; i < kThresholds.size(); ++i)
        result.false_fails_at[i] = share_failing(races, kThresholds[i]);
    return result;
}

}  // namespace lab
