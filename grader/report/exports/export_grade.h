// One student's grade in one lab, as text and numbers that every format can take.
#pragma once

#include <string>
#include <vector>

#include "batch/grades.h"

namespace lab {

struct ExportTest {
    std::string name, kind;
    double points = 0, earned = 0;  ///< with the points given by hand
    Verdict verdict = Verdict::not_run;
    std::string message;  ///< for the student, perhaps several lines; empty when passed
    std::string file;     ///< of the mistake; empty: not known
    int line = 0;         ///< 0: not known
    double seconds = 0;

    /// An inconclusive speed test earns its points, so it passes.
    bool passed() const { return verdict == Verdict::pass || verdict == Verdict::inconclusive; }
};

/// Every text is UTF-8 without control characters but line feed and tab, and at most 8 KiB long.
struct ExportGrade {
    Student student;
    std::string lab, title;
    bool is_open = false;  ///< no points yet (report/class/feedback.h); never exported as 0
    bool is_handed_in = false;
    AttemptState state = AttemptState::waiting;  ///< of the attempt that counts
    bool built = false;
    int attempt = 0;  ///< its number; 0: nothing was handed in
    double late_hours = 0, deducted = 0;
    double points = 0, max_points = 0;
    double seconds = 0;                ///< that the grading took; 0: not known
    std::string build_message;         ///< nvcc's errors or warnings
    std::vector<std::string> remarks;  ///< of the whole lab: lateness, comments, problems
    std::vector<ExportTest> tests;     ///< all of the lab's, also when the submission did not run
};

/// `grade` is one of `grades`. A grading that is no longer stored leaves messages out, not points.
ExportGrade export_grade(const Grades& grades, const LabGrade& grade);

/// The tests, for a system that adds up their points: changed so that the sum is `points`. What
/// lateness or a mark takes off comes off the last tests; what a mark adds is a test of its own.
std::vector<ExportTest> tests_adding_up(const ExportGrade& grade);

/// Remarks and the compiler's message: what no test says.
std::string overview_text(const ExportGrade& grade);
/// The same with every test that did not pass, for a system that takes one text. Never empty.
std::string feedback_text(const ExportGrade& grade);

/// `text` if it is at most `limit` bytes long (64 or more), else its beginning and "... (cut)". For
/// UTF-8: no character is cut in two.
std::string cut_text(std::string text, std::size_t limit);

/// points / max_points between 0 and 1; 0 for a lab without points.
double fraction_of(const ExportGrade& grade);

}  // namespace lab
