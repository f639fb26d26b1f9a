#include "report/class/feedback.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/failure.h"
#include "base/files.h"
#include "base/visible.h"
#include "report/finding_title.h"
#include "report/lines.h"
#include "report/markup/file_name.h"
#include "report/markup/number.h"
#include "report/values_text.h"
#include "report/verdict_table.h"

namespace lab {
namespace {

std::string pending_remark(const GradedAttempt& attempt) {
    switch (attempt.state) {
        case AttemptState::waiting:
            return "This submission is not graded yet.";
        case AttemptState::needs_human:
            return "The grader failed on this submission, by no fault of yours. Your instructor "
                   "will look at it; it costs no points.";
        case AttemptState::not_gradable:
            return "This submission cannot be graded: " + attempt.why;
        case AttemptState::graded:
            break;
    }
    return "";
}

std::string name_list(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        text += (i > 0 ? ", " : "") + visible_word(names[i]);
    if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
    return text;
}

}  // namespace

const GradedAttempt* counting_attempt(const LabGrade& grade) {
    return grade.counts ? &grade.attempts[*grade.counts] : nullptr;
}

bool is_open(const LabGrade& grade) {
    const bool is_by_hand = std::ranges::any_of(grade.marks, [](const ManualMark& mark) {
        return mark.test.empty() && mark.points.has_value();
    });
    if (is_by_hand) return false;
    const GradedAttempt* attempt = counting_attempt(grade);
    return attempt == nullptr || attempt->state == AttemptState::waiting ||
           attempt->state == AttemptState::needs_human;
}

std::string state_word(const GradedAttempt* attempt) {
    if (attempt == nullptr) return "nothing handed in";
    switch (attempt->state) {
        case AttemptState::graded:
            return attempt->built ? "graded" : "does not build";
        case AttemptState::not_gradable:
            return "cannot be graded";
        case AttemptState::waiting:
            return "waiting";
        case AttemptState::needs_human:
            break;
    }
    return "needs a human";
}

Feedback feedback_of(const Grades& grades, const LabGrade& grade) {
    Feedback feedback{&grade, counting_attempt(grade), std::nullopt};
    if (feedback.attempt == nullptr || feedback.attempt->state != AttemptState::graded)
        return feedback;
    try {
        feedback.grading = grades.grading(grade.lab, feedback.attempt->key);
    } catch (const Failure&) {
        return feedback;  // one lost file takes nobody's points: those are in the grades
    }
    const auto text = read_file_if_there(feedback.attempt->attempt.file);
    if (text && sha256(*text) == feedback.grading->submission.sha256)
        feedback.grading->submission.text = *text;
    return feedback;
}

std::vector<TestFailure> Feedback::failures() const {
    std::vector<TestFailure> all;
    if (!grading) return all;
    for (const TestResult& test : grading->checked.tests) {
        if (test.verdict != Verdict::fail || !is_begun(grading->tasks, test)) continue;
        const auto same = std::ranges::find_if(
            all, [&](const TestFailure& one) { return has_same_cause(*one.test, test); });
        if (same == all.end())
            all.push_back({&test, {}});
        else
            same->same.push_back(&test);
    }
    return all;
}

const ManualMark* Feedback::mark(const std::string& test) const {
    const ManualMark* last = nullptr;
    for (const ManualMark& one : grade->marks)
        if (one.test == test) last = &one;
    return last;
}

std::string Feedback::score() const {
    if (is_open(*grade)) return attempt == nullptr ? "nothing handed in" : "not graded yet";
    return short_number(grade->points) + " / " + short_number(grade->max_points);
}

std::vector<std::string> Feedback::remarks() const {
    std::vector<std::string> all;
    if (attempt == nullptr) {
        all.emplace_back("Nothing was handed in for this lab.");
    } else {
        if (const std::string pending = pending_remark(*attempt); !pending.empty())
            all.push_back(pending);
        if (attempt->late_hours > 0)
            all.push_back(attempt->deducted > 0
                              ? fmt::format("Handed in {}: {} of {} points are deducted.",
                                            lateness_text(attempt->late_hours),
                                            short_number(attempt->deducted),
                                            short_number(attempt->earned))
                              : fmt::format("Handed in {}; nothing is deducted.",
                                            lateness_text(attempt->late_hours)));
        if (attempt->attempt.student != grade->student.id)
            all.push_back("Handed in by " + visible_word(attempt->attempt.student) +
                          " for your group.");
        if (!attempt->attempt.extras.empty())
            all.push_back("Files that the lab does not ask for, which nobody has read: " +
                          name_list(attempt->attempt.extras) + ".");
    }
    if (attempt != nullptr && attempt->state == AttemptState::graded && !grading)
        all.emplace_back("The details of this grading are no longer stored.");
    if (grading && !grading->checked.message.empty()) all.push_back(grading->checked.message);
    if (grading && grading->untouched) all.emplace_back("The file is still as it was handed out.");
    return all;
}

std::string headline_of(const TestResult& test) {
    // A speed test may stop a kernel that would have ended.
    const std::string title(test.kind == "speed" ? "" : finding_title(test.finding));
    const bool has_both = !title.empty() && !test.diagnosis.empty();
    if (const std::string mistake = title + (has_both ? " " : "") + test.diagnosis;
        !mistake.empty())
        return mistake;
    if (test.values) return wrong_elements(*test.values) + ".";
    const Lines what = split_lines(test.what.empty() ? test.message : test.what);
    return what.empty() ? "This test failed." : what.front();
}

std::string title_of(const Feedback& feedback) {
    const std::string& lab = feedback.grade->lab;
    if (feedback.grading && !feedback.grading->lab.title.empty())
        return fmt::format("Lab {}: {}", lab.substr(0, 2), feedback.grading->lab.title);
    return "Lab " + lab;
}

std::string lateness_text(double hours) {
    constexpr double kDay = 24;
    const auto text = [](double number, const char* unit) {
        const std::string shown = fmt::format("{:.3g}", number);
        return fmt::format("{} {}{} late", shown, unit, shown == "1" ? "" : "s");
    };
    if (hours < 1) return text(std::ceil(hours * 60), "minute");
    return hours < 2 * kDay ? text(hours, "hour") : text(hours / kDay, "day");
}

std::string time_text(const std::optional<Time>& time) {
    return time ? fmt::format("{:%Y-%m-%d %H:%M}",
                              fmt::gmtime(std::chrono::system_clock::to_time_t(*time)))
                : "";
}

std::string verdict_word(const Grading& grading, const TestResult& test) {
    switch (test.verdict) {
        case Verdict::pass:
            return "ok";
        case Verdict::inconclusive:
            return "inconclusive";
        case Verdict::fail:
            return is_begun(grading.tasks, test) ? "FAIL" : "to do";
        case Verdict::not_run:
            break;
    }
    return is_begun(grading.tasks, test) ? "not run" : "to do";
}

std::string judged_on_text(const SpeedResult& speed) {
    if (speed.timed) return "Judged on time, on a GPU: your program and the reference ran in turn.";
    if (speed.judged_on == "timeline")
        return "Judged on the modelled timeline of the virtual GPU, from the first operation to "
               "the last.";
    return "Judged on what the hardware would have to do (the virtual GPU has no times): modelled "
           "from counts, which are exact.";
}

std::string feedback_path(const std::string& student, const std::string& lab) {
    return "feedback/" + file_name_of(student) + "/" + file_name_of(lab);
}

}  // namespace lab
