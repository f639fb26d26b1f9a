// https://docs.moodle.org/en/Grade_import
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/csv.h"
#include "base/visible.h"
#include "report/class/feedback.h"
#include "report/exports/export_grade.h"
#include "report/exports/learning_systems.h"
#include "report/markup/file_name.h"
#include "report/markup/html.h"
#include "report/markup/number.h"

namespace lab {
namespace {

/// Moodle shows feedback as HTML.
std::string moodle_feedback(const ExportGrade& grade) {
    return text_html(feedback_text(grade)).markup();
}

/// Whether each student has an address that no other one has.
bool have_addresses(const Grades& grades) {
    std::map<std::string, std::string> owners;
    return std::ranges::all_of(grades.grades, [&](const LabGrade& grade) {
        const Student& student = grade.student;
        const auto [owner, is_new] = owners.emplace(student.email, student.id);
        return !student.email.empty() && (is_new || owner->second == student.id);
    });
}

}  // namespace

GradeTables moodle_csv(const Grades& grades) {
    const bool by_email = have_addresses(grades);
    GradeTables tables;
    for (const std::string& lab : grades.labs) {
        std::string csv = csv_row({by_email ? "Email address" : "ID number", csv_text_cell(lab),
                                   csv_text_cell(lab + " feedback")});
        for (const LabGrade& grade : grades.grades) {
            // An empty grade would take the student's old one away.
            if (grade.lab != lab || is_open(grade)) continue;
            const std::string& key = by_email ? grade.student.email : grade.student.id;
            const std::string cell = csv_text_cell(visible_word(key));
            if (cell != key)
                tables.notes.push_back(
                    fmt::format("Moodle will not find \"{}\": such a name cannot stand in a table.",
                                visible_word(key)));
            csv += csv_row({cell, short_number(grade.points),
                            csv_text_cell(moodle_feedback(export_grade(grades, grade)))});
        }
        tables.files.emplace_back("moodle-" + file_name_of(lab) + ".csv", std::move(csv));
    }
    return tables;
}

}  // namespace lab
