// https://community.canvaslms.com/docs/DOC-12677 (importing grades in the gradebook)
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "base/csv.h"
#include "base/failure.h"
#include "base/visible.h"
#include "report/class/feedback.h"
#include "report/exports/learning_systems.h"
#include "report/exports/raw_csv.h"
#include "report/markup/number.h"

namespace lab {
namespace {

std::string canvas_cell(std::string_view text) {
    return csv_text_cell(visible_word(text));
}

/// Words in lower case with one blank between: "02 vector add".
std::string canvas_words(std::string_view text) {
    std::string words;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || byte >= 0x80)
            words += static_cast<char>(std::tolower(byte));
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
    }
    if (words.ends_with(' ')) words.pop_back();
    return words;
}

/// "Vector add (1234)" without Canvas's number of the assignment.
std::string without_canvas_number(const std::string& header) {
    const auto open = header.rfind(" (");
    if (open == std::string::npos || !header.ends_with(')')) return header;
    const std::string number = header.substr(open + 2, header.size() - open - 3);
    const bool is_number = !number.empty() && std::ranges::all_of(number, [](unsigned char c) {
        return std::isdigit(c) != 0;
    });
    return is_number ? header.substr(0, open) : header;
}

/// All that a column of the lab may be called, as canvas_words(): "02 vector add", "vector add",
/// "lab 02 vector add", "lab 2", ...
std::set<std::string> canvas_names_of(const std::string& lab, const std::string& title) {
    const std::string words = canvas_words(lab);
    const auto blank = words.find(' ');
    std::set<std::string> names = {words, "lab " + words};
    if (blank == std::string::npos) return names;
    std::string number = words.substr(0, blank);
    for (int i = 0; i < 2; ++i) {
        names.insert("lab " + number);
        for (const std::string& topic : {words.substr(blank + 1), canvas_words(title)}) {
            names.insert(topic);
            names.insert(number + " " + topic);
            names.insert("lab " + number + " " + topic);
        }
        if (number.starts_with('0')) number.erase(0, 1);
    }
    names.erase("");
    return names;
}

/// A gradebook of Canvas's that is filled in.
class CanvasGradebook {
public:
    CanvasGradebook(const Grades& grades, std::string_view exported, std::string place)
        : grades_(grades), table_(exported), place_(std::move(place)) {
        for (const char* name : {"SIS User ID", "ID", "SIS Login ID"})
            for (std::size_t i = 0; table_.rows() > 0 && i < table_.cells(0); ++i)
                if (canvas_words(table_.cell(0, i)) == canvas_words(name)) keys_.push_back(i);
        if (keys_.empty())
            throw usage_failure(fmt::format(
                "{}:1: no column \"SIS User ID\", \"ID\" or \"SIS Login ID\". Export the gradebook "
                "in Canvas (Grades, Export), and give that file unchanged.",
                place_));
        for (const LabGrade& grade : grades_.grades) by_lab_[grade.lab].push_back(&grade);
        for (const LabGrade& grade : grades_.grades)
            for (const std::string& word : {grade.student.id, grade.student.email})
                if (!word.empty()) students_[word].insert(grade.student.id);
    }

    GradeTables filled() {
        find_rows();
        std::size_t found = 0;
        for (const std::string& lab : grades_.labs) found += fill(lab) ? 1u : 0u;
        if (found == 0)
            throw usage_failure(fmt::format(
                "{}:1: no column is called like a lab. Name the assignment in Canvas \"{}\", and "
                "export the gradebook again.",
                place_, grades_.labs.empty() ? "02-vector-add" : grades_.labs.front()));
        tables_.files.emplace_back("canvas.csv", table_.text());
        return std::move(tables_);
    }

private:
    void note(std::string sentence) { tables_.notes.push_back(std::move(sentence)); }

    /// The student of a row, if all of its keys that are known agree.
    std::optional<std::string> student_of(std::size_t row) {
        std::set<std::string> found;
        for (const std::size_t column : keys_) {
            const auto known = students_.find(table_.cell(row, column));
            if (known != students_.end()) found.insert(known->second.begin(), known->second.end());
        }
        if (found.size() == 1) return *found.begin();
        if (found.size() > 1)
            note(
                fmt::format("{}:{}: this row fits {} students of the class, so its grades are "
                            "left as they are.",
                            place_, table_.line(row), found.size()));
        return std::nullopt;
    }

    void find_rows() {
        for (std::size_t row = 1; row < table_.rows(); ++row) {
            const auto student = student_of(row);
            if (!student) continue;
            if (!rows_.emplace(*student, row).second)
                note(fmt::format("{}:{}: {} has an earlier row; only that one is filled.", place_,
                                 table_.line(row), visible_word(*student)));
        }
        std::set<std::string> missing;
        for (const LabGrade& grade : grades_.grades)
            if (!is_open(grade) && !rows_.contains(grade.student.id))
                missing.insert(grade.student.id);
        for (const std::string& student : missing)
            note(fmt::format("{} has no row for {}, whose grades are not in the export.", place_,
                             visible_word(student)));
    }

    std::string title_of_lab(const std::string& lab) const {
        for (const LabGrade* grade : by_lab_.at(lab)) {
            const Feedback feedback = feedback_of(grades_, *grade);
            if (feedback.grading) return feedback.grading->lab.title;
        }
        return "";
    }

    std::optional<std::size_t> column_of(const std::string& lab) {
        const std::set<std::string> names = canvas_names_of(lab, title_of_lab(lab));
        std::vector<std::size_t> columns;
        for (std::size_t i = 0; i < table_.cells(0); ++i)
            if (names.contains(canvas_words(without_canvas_number(table_.cell(0, i)))))
                columns.push_back(i);
        if (columns.size() == 1) return columns.front();
        note(fmt::format("{}:1: {} is called like {}, so its grades are not in the export.", place_,
                         columns.empty() ? "no column" : "more than one column", lab));
        return std::nullopt;
    }

    /// Canvas shows grades out of its own maximum.
    void compare_points_possible(const std::string& lab, std::size_t column) {
        for (std::size_t row = 1; row < table_.rows(); ++row) {
            if (canvas_words(table_.cell(row, 0)) != "points possible") continue;
            const double most = by_lab_.at(lab).front()->max_points;
            const std::string possible = table_.cell(row, column);
            const double canvas = std::strtod(possible.c_str(), nullptr);
            if (most > 0 && short_number(canvas) != short_number(most))
                note(fmt::format(
                    "{}:{}: Canvas counts {} out of \"{}\", and the lab has {} points. "
                    "Change the assignment's points in Canvas.",
                    place_, table_.line(row), lab, visible_word(possible), short_number(most)));
        }
    }

    bool fill(const std::string& lab) {
        if (!by_lab_.contains(lab)) return false;
        const auto column = column_of(lab);
        if (!column) return false;
        compare_points_possible(lab, *column);
        for (const LabGrade* grade : by_lab_[lab]) {
            const auto row = rows_.find(grade->student.id);
            if (row == rows_.end() || is_open(*grade)) continue;
            table_.set(row->second, *column, short_number(grade->points));
        }
        return true;
    }

    const Grades& grades_;
    RawCsv table_;
    std::string place_;
    std::vector<std::size_t> keys_;  ///< columns that name the student
    std::map<std::string, std::vector<const LabGrade*>> by_lab_;
    std::map<std::string, std::set<std::string>> students_;  ///< ids, by id and email
    std::map<std::string, std::size_t> rows_;                ///< by student
    GradeTables tables_;
};

}  // namespace

GradeTables canvas_csv(const Grades& grades) {
    std::vector<std::string> header = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
    std::map<std::string, std::size_t> columns;
    for (const std::string& lab : grades.labs) {
        columns[lab] = header.size();
        header.push_back(canvas_cell(lab));
    }
    GradeTables tables;
    std::map<std::string, std::vector<std::string>> rows;
    for (const LabGrade& grade : grades.grades) {
        const Student& student = grade.student;
        auto& row = rows[student.id];
        if (row.empty()) {
            row = {canvas_cell(student.name), "", canvas_cell(student.id),
                   canvas_cell(student.email), canvas_cell(student.section)};
            row.resize(header.size());
            if (row[2] != student.id)
                tables.notes.push_back(
                    fmt::format("Canvas will not find \"{}\": such an id cannot stand in a table.",
                                visible_word(student.id)));
        }
        if (!is_open(grade)) row[columns.at(grade.lab)] = short_number(grade.points);
    }
    std::string csv = csv_row(header);
    for (const auto& [student, row] : rows) csv += csv_row(row);
    tables.files.emplace_back("canvas.csv", std::move(csv));
    return tables;
}

GradeTables canvas_csv(const Grades& grades, std::string_view exported, const std::string& place) {
    read_csv(exported, place);  // refuses what is no table
    return CanvasGradebook(grades, exported, place).filled();
}

}  // namespace lab
