#include "report/exports/export_grade.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/visible.h"
#include "report/class/feedback.h"
#include "report/class/tests_of_lab.h"
#include "report/markup/number.h"

namespace lab {
namespace {

/// PrairieLearn takes no results over 1 MB, which 60 tests of this length stay below.
constexpr std::size_t kLongestText = 8192;

std::string export_text(std::string_view text) {
    return cut_text(visible(text), kLongestText);
}

std::string export_word(std::string_view text) {
    return visible_word(export_text(text));
}

void take_marks(ExportGrade& result, const Feedback& feedback) {
    for (ExportTest& test : result.tests) {
        const ManualMark* mark = feedback.mark(test.name);
        if (mark == nullptr) continue;
        if (mark->points) {
            test.earned = *mark->points;
            test.verdict = test.earned >= test.points ? Verdict::pass : Verdict::fail;
        }
        if (!mark->comment.empty())
            test.message += (test.message.empty() ? "" : "\n") + ("Instructor: " + mark->comment);
    }
    if (const ManualMark* mark = feedback.mark("")) {
        if (mark->points)
            result.remarks.push_back("Points given by hand: " + short_number(*mark->points) + ".");
        if (!mark->comment.empty()) result.remarks.push_back("Instructor: " + mark->comment);
    }
}

std::vector<ExportTest> export_tests(const Grades& grades, const Feedback& feedback) {
    const bool has_own = feedback.attempt != nullptr && !feedback.attempt->tests.empty();
    std::vector<ExportTest> tests;
    for (const TestSummary& test :
         has_own ? feedback.attempt->tests : tests_of_lab(grades, feedback.grade->lab))
        tests.push_back({test.name, test.kind, test.points, test.earned, test.verdict,
                         test.diagnosis, "", 0, 0});
    if (!feedback.grading) return tests;
    for (const TestResult& result : feedback.grading->checked.tests) {
        const auto test = std::ranges::find(tests, result.name, &ExportTest::name);
        if (test == tests.end()) continue;
        if (!result.message.empty()) test->message = result.message;
        if (result.place) {
            test->file = result.place->file;
            test->line = result.place->line;
        }
        test->seconds = result.seconds;
    }
    return tests;
}

void clean(ExportGrade& grade) {
    for (std::string* word :
         {&grade.student.id, &grade.student.name, &grade.student.email, &grade.student.group,
          &grade.student.section, &grade.lab, &grade.title})
        *word = export_word(*word);
    grade.build_message = export_text(grade.build_message);
    for (std::string& remark : grade.remarks) remark = export_text(remark);
    for (ExportTest& test : grade.tests) {
        test.name = export_word(test.name);
        test.kind = export_word(test.kind);
        test.file = export_word(test.file);
        test.message = export_text(test.message);
    }
}

void add_paragraph(std::string& text, const std::string& paragraph) {
    if (paragraph.empty()) return;
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text += paragraph;
}

}  // namespace

ExportGrade export_grade(const Grades& grades, const LabGrade& grade) {
    const Feedback feedback = feedback_of(grades, grade);
    ExportGrade result;
    result.student = grade.student;
    result.lab = grade.lab;
    result.title = title_of(feedback);
    result.is_open = is_open(grade);
    result.points = grade.points;
    result.max_points = grade.max_points;
    if (const GradedAttempt* attempt = feedback.attempt) {
        result.is_handed_in = true;
        result.state = attempt->state;
        result.built = attempt->built;
        result.attempt = attempt->attempt.number;
        result.late_hours = attempt->late_hours;
        result.deducted = attempt->deducted;
    }
    result.remarks = feedback.remarks();
    if (feedback.grading) {
        result.seconds = feedback.grading->seconds.all;
        result.build_message = feedback.grading->build_message;
    }
    result.tests = export_tests(grades, feedback);
    for (ExportTest& test : result.tests)
        if (test.verdict == Verdict::not_run && test.message.empty()) test.message = "Not run.";
    take_marks(result, feedback);
    clean(result);
    return result;
}

std::vector<ExportTest> tests_adding_up(const ExportGrade& grade) {
    constexpr double kLeast = 1e-9;  // of points; less is rounding
    std::vector<ExportTest> tests = grade.tests;
    double more = grade.points;
    for (const ExportTest& test : tests) more -= test.earned;
    for (std::size_t i = tests.size(); i-- > 0 && more < -kLeast;) {
        const double off = std::min(std::max(tests[i].earned, 0.0), -more);
        if (off <= 0) continue;
        tests[i].earned -= off;
        more += off;
        add_paragraph(tests[i].message,
                      fmt::format("{} points are deducted here, for lateness or by hand.",
                                  short_number(off)));
    }
    if (more > kLeast || tests.empty()) {
        ExportTest extra;
        extra.name = tests.empty() ? grade.lab : "Points given by hand";
        extra.points = tests.empty() ? grade.max_points : 0;
        extra.earned = std::max(more, 0.0);
        extra.verdict = extra.earned > 0 ? Verdict::pass : Verdict::fail;
        extra.message = overview_text(grade);
        tests.push_back(std::move(extra));
    }
    return tests;
}

std::string overview_text(const ExportGrade& grade) {
    std::string text;
    for (const std::string& remark : grade.remarks) add_paragraph(text, remark);
    if (grade.state == AttemptState::graded && !grade.built)
        add_paragraph(text, "Your file does not build, so no test ran.");
    add_paragraph(text, grade.build_message);
    return text;
}

std::string feedback_text(const ExportGrade& grade) {
    std::string text = overview_text(grade);
    for (const ExportTest& test : grade.tests) {
        const bool says_nothing = test.verdict == Verdict::not_run && !grade.built;
        if (says_nothing || (test.verdict == Verdict::pass && test.message.empty())) continue;
        if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
        add_paragraph(text, fmt::format("{} ({} / {})", test.name, short_number(test.earned),
                                        short_number(test.points)));
        add_paragraph(text, test.message);
    }
    // Moodle would keep the feedback of an earlier attempt.
    return text.empty() ? "All tests passed." : text;
}

std::string cut_text(std::string text, std::size_t limit) {
    if (text.size() <= limit) return text;
    constexpr std::string_view kCut = "\n... (cut)";
    std::size_t end = limit - kCut.size();
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // inside a character
    return text.substr(0, end) + std::string(kCut);
}

double fraction_of(const ExportGrade& grade) {
    return grade.max_points > 0 ? std::clamp(grade.points / grade.max_points, 0.0, 1.0) : 0;
}

}  // namespace lab
