// What each student has in each lab: every attempt, the one that counts, what lateness costs, and
// what the instructor decided by hand. All that reports and exports read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batch/class.h"
#include "core/results.h"

namespace lab {

enum class AttemptState {
    graded,
    not_gradable,  ///< Attempt::problem says why: 0 points
    waiting,       ///< not graded yet
    needs_human,   ///< grading failed again and again, by no fault of the student's
};

/// What the gradebook needs of a test; the rest is in the Grading.
struct TestSummary {
    std::string name;
    std::string kind;  ///< correctness, speed, robustness
    double points = 0, earned = 0;
    Verdict verdict = Verdict::not_run;
    std::string diagnosis;  ///< the mistake in one sentence; or empty
};

struct GradedAttempt {
    Attempt attempt;
    AttemptState state = AttemptState::waiting;
    std::string key;  ///< of its grading in the store; graded: not empty
    bool built = false;
    double earned = 0, max_points = 0;  ///< before any deduction
    std::vector<TestSummary> tests;
    std::string why;        ///< needs_human: what happened; not_gradable: the problem
    double late_hours = 0;  ///< 0: in time, or no due date, or no time known
    double deducted = 0;    ///< points, for lateness
    double points() const { return earned - deducted; }
};

/// A decision of the instructor's, which no regrading changes.
struct ManualMark {
    std::string student, lab;
    std::string test;              ///< empty: of the lab as a whole
    std::optional<double> points;  ///< in place of the grader's; nothing: a comment only
    std::string comment;
    std::string time;  ///< UTC, "2026-01-31T12:00:00Z"
};

struct LabGrade {
    Student student;
    std::string lab;
    std::vector<GradedAttempt> attempts;  ///< of the student and of the group's other members
    std::optional<std::size_t> counts;    ///< index into attempts; nothing: nothing handed in
    std::vector<ManualMark> marks;
    double points = 0;  ///< after lateness and manual marks
    double max_points = 0;
};

/// A grading whose result differs from that of the version of the grader before.
struct GradeChange {
    std::string student, lab, test;
    double before = 0, after = 0;
    std::string diagnosis_before, diagnosis_after;
};

struct Grades {
    std::vector<std::string> labs;  ///< in order
    std::vector<LabGrade> grades;   ///< by student, then lab: one for each pair
    std::vector<GradeChange> changes;
    std::vector<std::string> notes;  ///< of the intake: what the instructor should look at
    /// A grading in full, from the store. Throws Failure (our fault) if it is not there.
    std::function<Grading(const std::string& lab, const std::string& key)> grading;
};

class Store;

/// As the store has them now. The store must outlive it. A grading by the version of the grader
/// that was used last comes first; where there is none yet, one by the version before.
Grades grades_of(const Store& store);

}  // namespace lab
