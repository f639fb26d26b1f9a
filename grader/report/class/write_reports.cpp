#include "report/class/write_reports.h"

#include "base/files.h"
#include "report/class/feedback_html.h"
#include "report/class/feedback_markdown.h"
#include "report/class/gradebook.h"
#include "report/class/instructor.h"

namespace lab {
namespace {

void write_feedback(const Grades& grades, const fs::path& folder) {
    for (const LabGrade& grade : grades.grades) {
        const Feedback feedback = feedback_of(grades, grade);
        const std::string path = feedback_path(grade.student.id, grade.lab);
        write_atomically(folder / (path + ".html"), feedback_html(feedback));
        write_atomically(folder / (path + ".md"), feedback_markdown(feedback));
    }
}

}  // namespace

void write_reports(const Project& project, const Grades& grades, const fs::path& folder,
                   const ReportKinds& kinds) {
    make_folder(folder);
    if (kinds.gradebook) {
        write_atomically(folder / "gradebook.csv", gradebook_csv(grades));
        write_atomically(folder / "gradebook-narrow.csv", gradebook_narrow_csv(grades));
    }
    if (kinds.feedback) write_feedback(grades, folder);
    if (kinds.instructor)
        write_atomically(folder / "instructor.html",
                         instructor_html(project, grades, kinds.similarity));
    if (!kinds.similarity.empty())
        write_atomically(folder / "similarity.csv", similarity_csv(kinds.similarity));
}

}  // namespace lab
