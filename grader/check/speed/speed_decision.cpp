#include "check/speed/speed_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

// Time on our clock that events did not see. Both programs do the same between request and reply,
// so the reference's is what is normal, give or take scheduling on the host (chosen).
constexpr double kUnseenShare = 0.05, kUnseenMs = 0.05;
// Five gradings at once on 16 cores: in one speed test of 50 each of six rounds had such time, by
// chance. So many rounds must agree before it makes a submission fail (chosen).
constexpr std::size_t kRoundsForUnseen = 16;

/// Time of the submission that events did not see, beyond what is normal: work on streams that
/// its events do not wait for.
double hidden_ms(const SpeedTimes& times) {
    // Who hides work does so in most calls; a host that is slow to wake up is so in some.
    std::vector<double> more;
    for (std::size_t i = 0; i < times.submission.unseen_ms.size(); ++i)
        more.push_back(times.submission.unseen_ms[i] - times.reference.unseen_ms[i]);
    const double hidden = median_interval(more).low;
    const double allowed = kUnseenMs + kUnseenShare * median(times.submission.event_ms);
    return hidden > allowed ? hidden : 0;
}

// How much more than the other program's calls the same disturbance may slow one program's
// (chosen).
constexpr double kUnevenly = 2;
// Who is so much too slow in each of so many rounds needs no more of them, which take long
// (chosen).
constexpr double kFarTooSlow = 4;
constexpr std::size_t kRoundsForFar = 4;

/// Whether no call of the submission came within a factor of the threshold, though those of the
/// reference were made in turn with them and disturbed alike: not even its fastest beside the
/// reference's slowest.
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
