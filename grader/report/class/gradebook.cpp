#include "report/class/gradebook.h"

#include <fmt/format.h>

#include <map>

#include "base/csv.h"
#include "base/visible.h"
#include "report/class/feedback.h"
#include "report/class/tests_of_lab.h"
#include "report/markup/number.h"

namespace lab {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

using Cells = std::vector<std::string>;

const Cells kColumns = {"student",
                        "name",
                        "email",
                        "section",
                        "group",
                        "lab",
                        "test",
                        "kind",
                        "points",
                        "max_points",
                        "verdict",
                        "diagnosis",
                        "attempt",
                        "attempts",
                        "submitted",
                        "late_hours",
                        "deducted",
                        "state",
                        "manual_points",
                        "comment",
                        "lab_points",
                        "lab_max_points",
                        "lab_manual_points",
                        "lab_comment"};

/// Foreign text on one line, which no spreadsheet takes for a formula.
std::string cell(std::string_view text) {
    return csv_text_cell(visible_word(text));
}

std::string open_or(bool is_open, double points) {
    return is_open ? "" : short_number(points);
}

std::string marked_points(const ManualMark* mark) {
    return mark != nullptr && mark->points ? short_number(*mark->points) : "";
}

std::string comment_of(const ManualMark* mark) {
    return mark == nullptr ? "" : cell(mark->comment);
}

/// The cells before and after those of a test, which all rows of a student's lab share.
struct Shared {
    Cells before, after;

    explicit Shared(const LabGrade& grade) {
        const Student& student = grade.student;
        const GradedAttempt* attempt = counting_attempt(grade);
        before = {cell(student.id),      cell(student.name),  cell(student.email),
                  cell(student.section), cell(student.group), cell(grade.lab)};
        if (attempt == nullptr)
            after = {"", "0", "", "", ""};
        else
            after = {std::to_string(attempt->attempt.number), std::to_string(grade.attempts.size()),
                     time_text(attempt->attempt.submitted), short_number(attempt->late_hours),
                     short_number(attempt->deducted)};
        after.push_back(state_word(attempt));
    }
};

std::string row_of(const Feedback& feedback, const Shared& shared, const TestSummary* test) {
    const LabGrade& grade = *feedback.grade;
    const bool open = is_open(grade);
    Cells row = shared.before;
    const ManualMark* mark = nullptr;
    if (test == nullptr) {
        row.insert(row.end(), {"", "", "", "", "", ""});
    } else {
        mark = feedback.mark(test->name);
        const double points = mark != nullptr && mark->points ? *mark->points : test->earned;
        row.insert(row.end(),
                   {cell(test->name), test->kind, open_or(open, points), short_number(test->points),
                    open ? "" : to_string(test->verdict), cell(test->diagnosis)});
    }
    row.insert(row.end(), shared.after.begin(), shared.after.end());
    const ManualMark* of_lab = feedback.mark("");
    row.insert(row.end(),
               {marked_points(mark), comment_of(mark), open_or(open, grade.points),
                short_number(grade.max_points), marked_points(of_lab), comment_of(of_lab)});
    return csv_row(row);
}

}  // namespace

std::string gradebook_csv(const Grades& grades) {
    std::string csv = std::string(kByteOrderMark) + csv_row(kColumns);
    std::map<std::string, std::vector<TestSummary>> of_lab;
    for (const std::string& lab : grades.labs) of_lab[lab] = tests_of_lab(grades, lab);
    for (const LabGrade& grade : grades.grades) {
        const Feedback feedback{&grade, counting_attempt(grade), std::nullopt};
        const Shared shared(grade);
        // Of a submission that did not run, too: every student has the same rows.
        const bool has_own = feedback.attempt != nullptr && !feedback.attempt->tests.empty();
        const auto& tests = has_own ? feedback.attempt->tests : of_lab[grade.lab];
        if (tests.empty()) csv += row_of(feedback, shared, nullptr);
        for (const TestSummary& test : tests) csv += row_of(feedback, shared, &test);
    }
    return csv;
}

std::string gradebook_narrow_csv(const Grades& grades) {
    Cells header = {"student", "name", "email", "section"};
    header.insert(header.end(), grades.labs.begin(), grades.labs.end());
    std::string csv = csv_row(header);
    std::map<std::string, std::size_t> column;
    for (std::size_t i = 0; i < grades.labs.size(); ++i) column[grades.labs[i]] = 4 + i;
    for (std::size_t i = 0; i < grades.grades.size();) {
        const Student& student = grades.grades[i].student;
        Cells row = {cell(student.id), cell(student.name), cell(student.email),
                     cell(student.section)};
        row.resize(header.size());
        for (; i < grades.grades.size() && grades.grades[i].student.id == student.id; ++i) {
            const LabGrade& grade = grades.grades[i];
            row[column.at(grade.lab)] = open_or(is_open(grade), grade.points);
        }
        csv += csv_row(row);
    }
    return csv;
}

}  // namespace lab
