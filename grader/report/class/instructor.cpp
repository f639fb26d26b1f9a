#include "report/class/instructor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/class/class_plots.h"
#include "report/class/feedback.h"
#include "report/class/similar_pairs_html.h"
#include "report/class/statistics.h"
#include "report/markup/html.h"
#include "report/markup/number.h"

namespace lab {
namespace {

constexpr std::size_t kMostMistakes = 15, kMostExamples = 5, kMostListed = 12;

class InstructorPage {
public:
    InstructorPage(const Project& project, const Grades& grades,
                   const std::vector<LabSimilarity>& similarity)
        : project_(project), grades_(grades), similarity_(similarity), all_(statistics_of(grades)) {
        for (const LabGrade& grade : grades.grades) names_[grade.student.id] = grade.student.name;
    }

    std::string html() const {
        return html_document("Class report",
                             Html("<div class='top'><div><h1>Class report</h1></div></div>") +
                                 overview() + for_you() + similar_pairs_html(similarity_) +
                                 mistakes() + labs() + changes() + students());
    }

private:
    Html student_link(const std::string& student, const std::string& lab) const {
        const auto name = names_.find(student);
        const bool has_name = name != names_.end() && !name->second.empty();
        const Html shown = name_html(cut_to_width(has_name ? name->second : student, 40));
        if (name == names_.end()) return shown;
        return link_to(feedback_path(student, lab) + ".html", shown);
    }

    static Html count(std::size_t number, const char* what, bool is_alert = false) {
        return element(is_alert && number > 0 ? "div class='alert'" : "div",
                       element("b", text_html(std::to_string(number))) + text_html(what));
    }

    Html overview() const {
        std::size_t handed_in = 0, full = 0;
        for (const LabStatistics& lab : all_.labs) {
            handed_in += lab.handed_in;
            full += lab.full_marks;
        }
        return element("div class='counts'",
                       count(all_.students, "students") + count(all_.labs.size(), "labs") +
                           count(handed_in, "labs handed in") + count(full, "with full marks") +
                           count(all_.needs_human.size(), "need a human", true) +
                           count(all_.flagged.size(), "flags", true) +
                           count(all_.waiting.size(), "wait to be graded") +
                           count(all_.not_gradable.size(), "cannot be graded", true));
    }

    Html list(const char* heading, const char* remedy,
              const std::vector<OpenAttempt>& attempts) const {
        if (attempts.empty()) return {};
        Html rows;
        for (const OpenAttempt& one : attempts)
            rows += element(
                "tr",
                element("td class='who'", student_link(one.student, one.lab)) +
                    element("td class='tight'", text_html(visible_word(one.lab))) +
                    element("td class='tight'", text_html(fmt::format("attempt {}", one.number))) +
                    element("td", text_html(visible(one.why))) +
                    element("td class='soft'", text_html(visible_word(one.from))));
        Html table = element("div class='scroll'", element("table", rows));
        if (attempts.size() > kMostListed)
            table = element("details", Html("<summary>Show them</summary>") + table);
        return element("section class='card notice'",
                       element("h3", text_html(fmt::format("{} ({})", heading, attempts.size()))) +
                           element("p class='soft'", text_html(remedy)) + table);
    }

    Html for_you() const {
        Html notes;
        for (const std::string& note : grades_.notes)
            notes += element("li", text_html(visible(note)));
        if (!notes.empty())
            notes = element("section class='card notice'",
                            Html("<h3>Notes on what was handed in</h3>") + element("ul", notes));
        const Html html =
            list("Needs a human",
                 "The grader failed on these again and again, by no fault of the student's. Grade "
                 "them by hand; until then they have no points, not 0.",
                 all_.needs_human) +
            list("Flags",
                 "Signs that a submission worked on the grader instead of the task. They cost no "
                 "points by themselves, and the student's page does not have them: judge.",
                 all_.flagged) +
            list("Cannot be graded", "0 points; the student's page says why.", all_.not_gradable) +
            list("Inconclusive speed tests",
                 "The measurement could not tell: the points are given. Grade these again on an "
                 "idle GPU if it matters.",
                 all_.inconclusive) +
            list("Waiting", "Not graded yet: run the batch again.", all_.waiting) + notes;
        return html.empty() ? html : Html("<h2>For you to look at</h2>") + html;
    }

    Html examples(const CommonMistake& mistake) const {
        Html links;
        const std::size_t shown = std::min(kMostExamples, mistake.students.size());
        for (std::size_t i = 0; i < shown; ++i)
            links += (i > 0 ? Html(", ") : Html()) + student_link(mistake.students[i], mistake.lab);
        if (mistake.students.size() > shown)
            links += text_html(fmt::format(" and {} more", mistake.students.size() - shown));
        return links;
    }

    Html mistakes() const {
        if (all_.mistakes.empty()) return {};
        Html rows(
            "<tr><th class='number'>students</th><th>lab</th><th>mistake</th>"
            "<th>examples</th></tr>");
        const std::size_t shown = std::min(kMostMistakes, all_.mistakes.size());
        for (std::size_t i = 0; i < shown; ++i) {
            const CommonMistake& one = all_.mistakes[i];
            constexpr std::size_t kWidest = 300;
            rows += element(
                "tr",
                element("td class='number tight'", text_html(std::to_string(one.students.size()))) +
                    element("td class='tight'", text_html(visible_word(one.lab))) +
                    element("td", text_html(cut_to_width(visible_word(one.sentence), kWidest))) +
                    element("td", examples(one)));
        }
        Html html = Html("<h2>What to teach next week: the commonest mistakes</h2>") +
                    element("section class='card scroll'", element("table", rows));
        if (all_.mistakes.size() > shown)
            html += element("p class='soft'",
                            text_html(fmt::format("{} rarer ones are left out; gradebook.csv has "
                                                  "all.",
                                                  all_.mistakes.size() - shown)));
        return html;
    }

    static Html outcome_bar(const TestCounts& test) {
        const double all = std::max<double>(1, static_cast<double>(test.all()));
        const auto percent = [&](std::size_t part) {
            return 100.0 * static_cast<double>(part) / all;
        };
        const double pass = percent(test.pass), inconclusive = percent(test.inconclusive);
        return element("span class='bar'",
                       positioned("good", 0, pass) + positioned("notice", pass, inconclusive) +
                           positioned("bad", pass + inconclusive, percent(test.fail)));
    }

    static Html tests(const LabStatistics& lab) {
        if (lab.tests.empty()) return {};
        Html rows(
            "<tr><th>test</th><th class='number'>points</th><th>outcomes</th>"
            "<th class='number'>pass</th><th class='number'>fail</th>"
            "<th class='number'>inconclusive</th><th class='number'>not run</th></tr>");
        const auto number = [](std::size_t count) {
            return element("td class='number tight'", text_html(std::to_string(count)));
        };
        for (const TestCounts& test : lab.tests)
            rows += element("tr", element("td", text_html(visible_word(test.name))) +
                                      element("td class='number tight'", number_html(test.points)) +
                                      element("td", outcome_bar(test)) + number(test.pass) +
                                      number(test.fail) + number(test.inconclusive) +
                                      number(test.not_run));
        return element("section class='card scroll'", element("table", rows));
    }

    Html figures(const LabStatistics& lab) const {
        Html html =
            element("section class='card'", Html("<h3>Points</h3>") + points_plot(project_, lab));
        for (const SpeedRatios& speed : lab.speeds) {
            const Html heading = element(
                "h3",
                text_html(fmt::format("{} (by {})", visible_word(speed.test), speed.judged_on)));
            html += element("section class='card'", heading + speed_plot(project_, speed));
        }
        return element("div class='figures'", html);
    }

    static std::string summary(const LabStatistics& lab) {
        std::string text =
            fmt::format("{} handed in, {} with full marks", lab.handed_in, lab.full_marks);
        if (lab.points.empty()) return text + ".";
        double sum = 0;
        for (const double points : lab.points) sum += points;
        return text + fmt::format("; of {} points: median {}, mean {}, lowest {}, highest {}.",
                                  short_number(lab.max_points), short_number(middle_of(lab.points)),
                                  short_number(sum / static_cast<double>(lab.points.size())),
                                  short_number(lab.points.front()),
                                  short_number(lab.points.back()));
    }

    Html labs() const {
        Html html;
        for (const LabStatistics& lab : all_.labs)
            html += element("h2", text_html(visible_word(lab.lab))) +
                    element("p", text_html(summary(lab))) + figures(lab) + tests(lab);
        return html;
    }

    Html changes() const {
        if (grades_.changes.empty()) return {};
        Html rows(
            "<tr><th>student</th><th>lab</th><th>test</th><th class='number'>before</th>"
            "<th class='number'>now</th><th>mistake before</th><th>mistake now</th></tr>");
        for (const GradeChange& one : grades_.changes)
            rows +=
                element("tr", element("td class='who'", student_link(one.student, one.lab)) +
                                  element("td class='tight'", text_html(visible_word(one.lab))) +
                                  element("td", text_html(visible_word(one.test))) +
                                  element("td class='number'", number_html(one.before)) +
                                  element("td class='number'", number_html(one.after)) +
                                  element("td", text_html(visible(one.diagnosis_before))) +
                                  element("td", text_html(visible(one.diagnosis_after))));
        return Html("<h2>Changed by the newer grader</h2>") +
               element("section class='card scroll'", element("table", rows));
    }

    static Html cell_of(const LabGrade& grade) {
        const std::string path = feedback_path(grade.student.id, grade.lab) + ".html";
        const Html text = is_open(grade) ? text_html(state_word(counting_attempt(grade)))
                                         : number_html(grade.points);
        return element("td class='number'", link_to(path, text));
    }

    Html students() const {
        Html heads("<th>student</th><th>id</th>");
        for (const std::string& lab : grades_.labs)
            heads += element("th class='number'", text_html(visible_word(lab)));
        Html rows = element("tr", heads);
        for (std::size_t i = 0; i < grades_.grades.size();) {
            const Student& student = grades_.grades[i].student;
            Html row = element("td", name_html(cut_to_width(student.name, 40))) +
                       element("td", name_html(cut_to_width(student.id, 40)));
            for (; i < grades_.grades.size() && grades_.grades[i].student.id == student.id; ++i)
                row += cell_of(grades_.grades[i]);
            rows += element("tr", row);
        }
        return Html("<h2>Students</h2>") +
               element("section class='card scroll'", element("table", rows));
    }

    const Project& project_;
    const Grades& grades_;
    const std::vector<LabSimilarity>& similarity_;
    ClassStatistics all_;
    std::map<std::string, std::string> names_;
};

}  // namespace

std::string instructor_html(const Project& project, const Grades& grades,
                            const std::vector<LabSimilarity>& similarity) {
    return InstructorPage(project, grades, similarity).html();
}

}  // namespace lab
