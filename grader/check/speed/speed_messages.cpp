#include "check/speed/speed_messages.h"

#include <fmt/format.h>

namespace lab {
namespace {

using nlohmann::json;

std::string described(const GpuProcess& process) {
    return process.name.empty() ? fmt::format("pid {}", process.pid)
                                : fmt::format("pid {} ({})", process.pid, process.name);
}

/// Other processes that may or may not have kept the GPU busy.
std::string unknown_others(const GpuSeen& seen) {
    std::string names;
    for (const GpuProcess& other : seen.others) {
        if (other.busy_percent < 0) names += (names.empty() ? "" : ", ") + described(other);
    }
    if (names.empty()) return "";
    return fmt::format(
        "\nOther processes are on this GPU, and whether they worked meanwhile is not "
        "known: {}.",
        names);
}

json gpu_json(const GpuSeen& seen) {
    if (!seen.why_not.empty()) return {{"clocks_read", false}, {"why_not", seen.why_not}};
    json others = json::array();
    for (const GpuProcess& other : seen.others) {
        others.push_back({{"pid", other.pid}, {"name", other.name}});
        others.back()["busy_percent"] =
            other.busy_percent < 0 ? json(nullptr) : json(other.busy_percent);
    }
    return {
        {"clocks_read", true},           {"sm_mhz", {seen.lowest_sm_mhz, seen.highest_sm_mhz}},
        {"max_sm_mhz", seen.max_sm_mhz}, {"temperature_c", seen.highest_c},
        {"slowed_by", seen.slowed_by},   {"others", seen.others_known ? others : json(nullptr)}};
}

}  // namespace

std::string speed_message(const std::string& call_text, const SpeedDecision& decision,
                          const SpeedTimes& times, const GpuSeen& seen) {
    if (!decision.impossible.empty()) {
        return fmt::format(
            "{}: its times cannot be true.\n  {}\nA timed call must do all its work in the calling "
            "thread and on the GPU, before it returns or in the streams that it was given.",
            call_text, decision.impossible);
    }
    if (decision.is_suspicious) {
        return fmt::format(
            "{}: {:.3g} ms is faster than this GPU can be.\n"
            "  its memory needs at least   {:.3g} ms for the arrays of the call\n"
            "  the reference takes         {:.3g} ms\n"
            "The work is not done inside the timed call, or its time is not measured.",
            call_text, decision.submission_ms, times.least_ms, decision.reference_ms);
    }
    return fmt::format(
        "{}: too slow: {:.3g} ms, the reference takes {:.3g} ms.\n"
        "  speed      {:.2f}x the reference's ({:.2f} to {:.2f} with 95 % confidence)\n"
        "  required   {:.2f}x{}{}",
        call_text, decision.submission_ms, decision.reference_ms, decision.ratio,
        decision.interval.low, decision.interval.high, times.threshold,
        decision.flag.empty() ? "" : "\n" + decision.flag, unknown_others(seen));
}

std::string disturbed_note(const SpeedDecision& decision, const GpuSeen& seen) {
    if (!decision.is_disturbed) return "";
    std::string text;
    for (const std::string& disturbance : seen.disturbances) text += disturbance + ".\n";
    return text + "Times taken meanwhile say nothing. Grade again when that is over.\n";
}

json speed_json(const SpeedDecision& decision, const SpeedTimes& times, const GpuSeen& seen) {
    constexpr const char* kNames[] = {"pass", "fail", "inconclusive"};
    return {{"judged_on", "time"},
            {"threshold", times.threshold},
            {"verdict", kNames[static_cast<int>(decision.verdict)]},
            {"ratio", decision.ratio},
            {"low", decision.interval.low},
            {"high", decision.interval.high},
            {"spread", times.spread},
            {"rounds", times.submission.event_ms.size()},
            {"flag", decision.flag},
            {"suspicious", decision.is_suspicious || !decision.impossible.empty()},
            {"impossible", decision.impossible},
            {"least_ms", times.least_ms == 0 ? json(nullptr) : json(times.least_ms)},
            {"disturbed_by", seen.disturbances},
            {"gpu", gpu_json(seen)}};
}

}  // namespace lab
