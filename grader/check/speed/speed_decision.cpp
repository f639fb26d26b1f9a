#include "check/speed/speed_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

// Time on our clock that events did not see. Both programs do the same between request and reply,
// so the reference's is normal, give or take scheduling on the host (chosen).
constexpr double kUnseenShare = 0.05, kUnseenMs = 0.05;
// Five gradings at once on 16 cores: in one speed test of 50 each of six rounds had such time, by
// chance. This many rounds must agree before a submission fails for it (chosen).
constexpr std::size_t kRoundsForUnseen = 16;

/// Time of the submission that events did not see, beyond the normal: work in streams that its
/// events do not wait for.
double hidden_ms(const SpeedTimes& times) {
    // A submission that hides work does so in most calls; a host wakes up late in some.
    std::vector<double> more;
    for (std::size_t i = 0; i < times.submission.unseen_ms.size(); ++i)
        more.push_back(times.submission.unseen_ms[i] - times.reference.unseen_ms[i]);
    const double hidden = median_interval(more).low;
    const double allowed = kUnseenMs + kUnseenShare * median(times.submission.event_ms);
    return hidden > allowed ? hidden : 0;
}

// A disturbance may slow one program's calls this much more than the other's (chosen).
constexpr double kUnevenly = 2;
// A submission slower than the threshold by kFarTooSlow in each of kRoundsForFar rounds fails
// without more of them, which would take long (chosen).
constexpr double kFarTooSlow = 4;
constexpr std::size_t kRoundsForFar = 4;

/// Whether no call of the submission came within `factor` of the threshold: not even its fastest
/// against the reference's slowest, which ran in turn with it and was disturbed alike.
bool is_off_by(double factor, const SpeedTimes& times) {
    const auto& sub = times.submission.event_ms;
    const auto& ref = times.reference.event_ms;
    return *std::max_element(ref.begin(), ref.end()) * factor <
           *std::min_element(sub.begin(), sub.end()) * times.threshold;
}

}  // namespace

SpeedDecision decide_speed(const SpeedTimes& times) {
    SpeedDecision decision;
    const double hidden = hidden_ms(times);
    if (hidden > 0)
        decision.flag = fmt::format(
            "{:.3g} ms of the submission's time lay outside what its events measured, and were "
            "added.",
            hidden);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < times.submission.event_ms.size(); ++i) {
        ratios.push_back(times.reference.event_ms[i] / (times.submission.event_ms[i] + hidden));
    }
    decision.submission_ms = median(times.submission.event_ms) + hidden;
    decision.reference_ms = median(times.reference.event_ms);
    decision.ratio = median(ratios);
    decision.interval = median_interval(ratios);
    if (ratios.size() >= kRoundsForFar && is_off_by(kFarTooSlow, times) &&
        std::isinf(decision.interval.high)) {
        const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
        decision.interval = {*least, *most};
    }
    decision.interval.low *= 1 - times.spread;
    decision.interval.high *= 1 + times.spread;

    decision.is_suspicious =
        decision.submission_ms < times.least_ms && decision.reference_ms >= times.least_ms;
    if (decision.is_suspicious) {
        decision.verdict = SpeedTest::Verdict::fail;
        return decision;
    }
    if (decision.interval.low >= times.threshold) {
        decision.verdict = SpeedTest::Verdict::pass;
    } else if (decision.interval.high < times.threshold &&
               (hidden == 0 || ratios.size() >= kRoundsForUnseen)) {
        decision.verdict = SpeedTest::Verdict::fail;
    }
    decision.is_disturbed = decision.verdict != SpeedTest::Verdict::pass &&
                            !times.disturbances.empty() && !is_off_by(kUnevenly, times);
    if (decision.is_disturbed) decision.verdict = SpeedTest::Verdict::inconclusive;
    return decision;
}

bool could_end_otherwise(const SpeedDecision& decision, const SpeedTimes& times) {
    if (decision.verdict != SpeedTest::Verdict::inconclusive) return false;
    return decision.is_disturbed || decision.ratio * (1 - times.spread) >= times.threshold ||
           decision.ratio * (1 + times.spread) < times.threshold;
}

}  // namespace lab
