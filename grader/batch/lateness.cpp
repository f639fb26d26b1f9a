#include "batch/lateness.h"

#include <algorithm>

namespace lab {
namespace {

std::optional<Time> due_date(const Policy& policy, const std::string& student,
                             const std::string& lab) {
    if (const auto own = policy.extensions.find(student); own != policy.extensions.end())
        if (const auto due = own->second.find(lab); due != own->second.end()) return due->second;
    if (const auto due = policy.due.find(lab); due != policy.due.end()) return due->second;
    return std::nullopt;
}

}  // namespace

Lateness lateness_of(const Policy& policy, const Attempt& attempt) {
    const auto due = due_date(policy, attempt.student, attempt.lab);
    if (!due || !attempt.submitted) return {};
    const double seconds = static_cast<double>((*attempt.submitted - *due).count());
    if (seconds <= policy.grace_minutes * 60) return {};
    Lateness late{seconds / 3600, 0};
    // The last rule whose hours have passed.
    for (const LateRule& rule : policy.late)
        if (late.hours > rule.hours) late.percent = rule.percent;
    return late;
}

}  // namespace lab
