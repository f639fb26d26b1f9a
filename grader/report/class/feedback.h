// What a student is to see of a lab, from grades: which attempt counts, what happened to each test,
// and which failures to read first. feedback_html.h and feedback_markdown.h word it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/grades.h"

namespace lab {

/// A failed test, and the later ones that probably have the same cause.
struct TestFailure {
    const TestResult* test = nullptr;
    std::vector<const TestResult*> same;
};

struct Feedback {
    const LabGrade* grade = nullptr;
    const GradedAttempt* attempt = nullptr;  ///< that counts; null: nothing was handed in
    /// Of that attempt, with the submission's text if our copy of it is still the same; not there:
    /// it was not graded, or its result is gone.
    std::optional<Grading> grading;

    /// The failures to show, the first to read first. They point into `grading`.
    std::vector<TestFailure> failures() const;
    /// The mark of a test, or with "" of the whole lab: the last one. Null: none.
    const ManualMark* mark(const std::string& test) const;
    /// "5 / 10", "does not build", "not graded yet".
    std::string score() const;
    /// What there is to say of the whole lab, a sentence each.
    std::vector<std::string> remarks() const;
};

/// `grade` is one of `grades`, which must outlive the result.
Feedback feedback_of(const Grades& grades, const LabGrade& grade);

/// Whether the grade is still open: nothing handed in, or not graded yet, and no points by hand.
/// Such a grade is not 0 points.
bool is_open(const LabGrade& grade);

/// "graded", "does not build", "cannot be graded", "waiting", "needs a human", "nothing handed in".
std::string state_word(const GradedAttempt* attempt);
/// Null: nothing was handed in.
const GradedAttempt* counting_attempt(const LabGrade& grade);

/// The mistake in a sentence or two, as the screen's headline has it (report/screen.h): never
/// empty. Any bytes.
std::string headline_of(const TestResult& test);

/// "Lab 02: Vector add", or "Lab 02-vector-add" if its title is not known. Any bytes.
std::string title_of(const Feedback& feedback);
/// "1 hour late", "2.5 days late".
std::string lateness_text(double hours);
/// UTC, "2026-01-31 12:00"; empty: not known.
std::string time_text(const std::optional<Time>& time);
/// "ok", "FAIL", "to do", "not run", "inconclusive".
std::string verdict_word(const Grading& grading, const TestResult& test);
/// What a speed test was judged on, in a sentence.
std::string judged_on_text(const SpeedResult& speed);

/// The feedback's path within a report, without its ending: "feedback/lovelace/02-vector-add".
std::string feedback_path(const std::string& student, const std::string& lab);

}  // namespace lab
