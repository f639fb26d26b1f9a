#include "check/speed/speed_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

// Events are the runner's word; the request and its reply are on our clock. What lies between the
// two beside the events is normal if the reference, which does the same, has as much of it. More is
// added to the submission's time. More than this, in most rounds, is no scheduling on the host:
// work was kept from the events (chosen).
constexpr double kUnseenShare = 0.05, kUnseenMs = 0.05;
// Five gradings at once on 16 cores: in one speed test of 50 each of six rounds had such time, by
// chance. This many rounds must agree before a submission fails for it, or it must be longer than
// any wait for a core (chosen).
constexpr std::size_t kRoundsForUnseen = 16;
constexpr double kNoChanceMs = 20;
// Our clock and a GPU's may differ this much (chosen).
constexpr double kClocksShare = 0.01, kClocksMs = 0.02;
// The reference's rounds with less unseen time than the others (chosen).
constexpr double kNormalShare = 0.9;

/// Why the submission's times cannot be; empty: they can.
std::string impossible_of(const LaneTimes& submission) {
    for (std::size_t i = 0; i < submission.event_ms.size(); ++i) {
        const double event_ms = submission.event_ms[i], unseen_ms = submission.unseen_ms[i];
        const auto said = [&](const std::string& what) {
            return fmt::format("In round {} the events around the call {}.", i + 1, what);
        };
        if (!std::isfinite(event_ms)) return said("gave no number of milliseconds");
        if (event_ms <= 0) return said(fmt::format("gave {:.3g} ms", event_ms));
        if (unseen_ms < -kClocksMs - kClocksShare * event_ms)
            return said(fmt::format("gave {:.3g} ms, and the grader's clock {:.3g} ms in all",
                                    event_ms, event_ms + unseen_ms));
    }
    return "";
}

/// Time of the submission that events did not see, beyond the normal, in most rounds: a host wakes
/// up late in some.
double hidden_ms(const SpeedTimes& times) {
    std::vector<double> more;
    for (std::size_t i = 0; i < times.submission.unseen_ms.size(); ++i)
        more.push_back(times.submission.unseen_ms[i] - times.reference.unseen_ms[i]);
    return std::max(0.0, median_interval(more).low);
}

/// The submission's times by our clock. Round by round: with false times in half of the rounds, the
/// median would be whatever the submission likes, or anything at all.
std::vector<double> clocked_ms(const SpeedTimes& times, double hidden) {
    std::vector<double> normal = times.reference.unseen_ms;
    std::sort(normal.begin(), normal.end());
    const auto rank = std::ceil(kNormalShare * static_cast<double>(normal.size()));
    std::vector<double> clocked = times.submission.event_ms;
    for (std::size_t i = 0; i < clocked.size(); ++i) {
        const double most = normal[static_cast<std::size_t>(rank) - 1];
        clocked[i] += std::max(hidden, times.submission.unseen_ms[i] - most);
    }
    return clocked;
}

// A disturbance may slow one program's calls this much more than the other's (chosen).
constexpr double kUnevenly = 2;
// A submission slower than the threshold by kFarTooSlow in each of kRoundsForFar rounds fails
// without more of them, which would take long (chosen).
constexpr double kFarTooSlow = 4;
constexpr std::size_t kRoundsForFar = 4;

/// Whether no call of the submission came within `factor` of the threshold: not even its fastest
/// against the reference's slowest, which ran in turn with it and was disturbed alike.
bool is_off_by(double factor, const std::vector<double>& submission_ms, const SpeedTimes& times) {
    const auto& reference_ms = times.reference.event_ms;
    return *std::max_element(reference_ms.begin(), reference_ms.end()) * factor <
           *std::min_element(submission_ms.begin(), submission_ms.end()) * times.threshold;
}

/// The ratio of each round.
std::vector<double> ratios_of(const std::vector<double>& reference_ms,
                              const std::vector<double>& submission_ms) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < submission_ms.size(); ++i)
        ratios.push_back(reference_ms[i] / submission_ms[i]);
    return ratios;
}

Interval widened(Interval interval, double spread) {
    return {interval.low * (1 - spread), interval.high * (1 + spread)};
}

SpeedDecision failed(SpeedDecision decision) {
    decision.verdict = SpeedTest::Verdict::fail;
    return decision;
}

}  // namespace

SpeedDecision decide_speed(const SpeedTimes& times) {
    SpeedDecision decision;
    decision.reference_ms = median(times.reference.event_ms);
    decision.impossible = impossible_of(times.submission);
    if (!decision.impossible.empty()) return failed(decision);

    const double hidden = hidden_ms(times);
    const std::vector<double> clocked = clocked_ms(times, hidden);
    const std::vector<double> ratios = ratios_of(times.reference.event_ms, clocked);
    decision.submission_ms = median(clocked);
    decision.ratio = median(ratios);
    decision.interval = median_interval(ratios);
    if (ratios.size() >= kRoundsForFar && is_off_by(kFarTooSlow, clocked, times) &&
        std::isinf(decision.interval.high)) {
        const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
        decision.interval = {*least, *most};
    }
    decision.interval = widened(decision.interval, times.spread);

    const bool is_no_chance = ratios.size() >= kRoundsForUnseen || hidden >= kNoChanceMs;
    if (hidden > kUnseenMs + kUnseenShare * median(times.submission.event_ms)) {
        decision.flag = fmt::format(
            "{:.3g} ms of the submission's time lay outside what its events measured, and were "
            "added.",
            hidden);
        if (is_no_chance) decision.impossible = decision.flag;
    }
    decision.is_suspicious =
        decision.submission_ms < times.least_ms && decision.reference_ms >= times.least_ms;
    if (!decision.impossible.empty() || decision.is_suspicious) return failed(decision);

    const Interval by_events =
        widened(median_interval(ratios_of(times.reference.event_ms, times.submission.event_ms)),
                times.spread);
    const bool is_slow_by_events = by_events.high < times.threshold ||
                                   (ratios.size() >= kRoundsForFar &&
                                    is_off_by(kFarTooSlow, times.submission.event_ms, times));
    if (decision.interval.low >= times.threshold) {
        decision.verdict = SpeedTest::Verdict::pass;
    } else if (decision.interval.high < times.threshold && (is_slow_by_events || is_no_chance)) {
        decision.verdict = SpeedTest::Verdict::fail;
    }
    decision.is_disturbed = decision.verdict != SpeedTest::Verdict::pass &&
                            !times.disturbances.empty() && !is_off_by(kUnevenly, clocked, times);
    if (decision.is_disturbed) decision.verdict = SpeedTest::Verdict::inconclusive;
    return decision;
}

bool could_end_otherwise(const SpeedDecision& decision, const SpeedTimes& times) {
    if (decision.verdict != SpeedTest::Verdict::inconclusive) return false;
    return decision.is_disturbed || decision.ratio * (1 - times.spread) >= times.threshold ||
           decision.ratio * (1 + times.spread) < times.threshold;
}

}  // namespace lab
