#include "report/exports/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/failure.h"
#include "base/files.h"
#include "report/class/feedback.h"
#include "report/exports/autograders.h"
#include "report/exports/junit.h"
#include "report/exports/learning_systems.h"
#include "report/exports/sources.h"
#include "report/markup/file_name.h"

namespace lab {
namespace {

/// A format with one file for each student and lab.
struct LabFormat {
    const char* format;
    const char* file;
    std::string (*text)(const ExportGrade&);
};

constexpr std::array<LabFormat, 6> kLabFormats = {
    {{"gradescope", "results.json", gradescope_json},
     {"github-classroom", "result.json", github_classroom_json},
     {"github-classroom", "github_output.txt", github_classroom_output},
     {"prairielearn", "results.json", prairielearn_json},
     {"autolab", "output.txt", autolab_output},
     {"submitty", "validation_results.json", submitty_json}}};

using Notes = std::vector<std::string>;

/// One grade at a time: a class's messages together may be large.
Notes write_lab_format(const Grades& grades, const std::string& format, const fs::path& folder) {
    std::size_t open = 0;
    for (const LabGrade& grade : grades.grades) {
        if (is_open(grade)) {
            open += counting_attempt(grade) != nullptr ? 1u : 0u;
            continue;
        }
        const ExportGrade one = export_grade(grades, grade);
        const fs::path place =
            folder / format / file_name_of(grade.student.id) / file_name_of(grade.lab);
        for (const LabFormat& row : kLabFormats)
            if (row.format == format) write_atomically(place / row.file, row.text(one));
    }
    if (open == 0) return {};
    return {
        fmt::format("{} of the submissions {} no grade yet and {} left out of the export. "
                    "Export again when grading has ended.",
                    open, open == 1 ? "has" : "have", open == 1 ? "is" : "are")};
}

Notes write_junit(const Grades& grades, const fs::path& folder) {
    for (std::size_t i = 0; i < grades.grades.size();) {
        const std::string& student = grades.grades[i].student.id;
        std::vector<ExportGrade> labs;
        for (; i < grades.grades.size() && grades.grades[i].student.id == student; ++i)
            labs.push_back(export_grade(grades, grades.grades[i]));
        write_atomically(folder / "junit" / (file_name_of(student) + ".xml"), junit_xml(labs));
    }
    return {};
}

Notes write_tables(const GradeTables& tables, const fs::path& folder) {
    for (const auto& [name, text] : tables.files) write_atomically(folder / name, text);
    return tables.notes;
}

GradeTables canvas_tables(const Grades& grades, const fs::path& exported) {
    if (exported.empty()) return canvas_csv(grades);
    const auto text = read_file_if_there(exported);
    if (!text)
        throw usage_failure(fmt::format("Cannot read {}. Is it the gradebook that Canvas exported?",
                                        exported.string()));
    return canvas_csv(grades, *text, exported.string());
}

}  // namespace

std::vector<std::string> export_formats() {
    return {"gradescope",   "github-classroom", "canvas",   "moodle", "junit",
            "prairielearn", "autolab",          "submitty", "sources"};
}

std::vector<std::string> write_exports(const Grades& grades, const std::string& format,
                                       const fs::path& folder, const ExportOptions& options) {
    const std::vector<std::string> formats = export_formats();
    if (std::ranges::find(formats, format) == formats.end())
        throw usage_failure(fmt::format("There is no export format \"{}\". There are: {}.", format,
                                        fmt::join(formats, ", ")));
    if (format == "canvas")
        return write_tables(canvas_tables(grades, options.canvas_template), folder);
    if (format == "moodle") return write_tables(moodle_csv(grades), folder);
    if (format == "sources")
        return write_sources(*options.project, grades, options.secret, folder / "sources");
    if (format == "junit") return write_junit(grades, folder);
    return write_lab_format(grades, format, folder);
}

}  // namespace lab
