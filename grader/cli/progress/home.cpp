// lab, without a command: where the student is, and the one next thing to do.

#include <fmt/format.h>

#include "base/visible.h"
#include "cli/session.h"
#include "core/progress.h"

namespace lab::cli {
namespace {

/// Two lines: the labs' numbers, and below each how much of it is done.
struct ProgressRow {
    std::string numbers, marks;

    void add(const std::string& number, const std::optional<Standing>& standing) {
        const bool has_points = standing && standing->best_points > 0;
        const bool is_done = standing && standing->has_full_marks();
        numbers += " " + number;
        marks += is_done ? " ##" : has_points ? " #." : " ..";
    }
};

/// The lab that the student works on; the next one if that has full marks. Nothing: all have.
std::optional<std::string> current_lab(const Project& project) {
    const std::string last = last_worked_on(project);
    const auto standing = standing_of(project, last);
    if (!standing || !standing->has_full_marks()) return last;
    return next_lab(project);
}

std::string text_of_lab(const Project& project, const Lab& lab, const TextStyle& style) {
    const auto standing = standing_of(project, lab.name);
    const bool untouched = is_untouched(project, lab);
    std::string text = fmt::format("Lab {}  {}", lab.number(), visible_word(lab.title));
    if (standing && standing->max_points > 0)
        text += fmt::format(", {:g} of {:g} points so far", standing->best_points,
                            standing->max_points);
    text += fmt::format(", about {} minutes\n", lab.minutes);
    text +=
        wrapped(untouched ? visible(lab.first_step)
                          : fmt::format("You have begun {}. The handout is {}.",
                                        lab.file().string(), (lab.folder() / "README.md").string()),
                0, style.width);
    // A whole program is graded as it is handed out; in the other labs the first verdict is empty.
    return text + fmt::format("\nNext:  ./lab {} {}\n", untouched && lab.whole ? "grade" : "watch",
                              lab.number());
}

/// What the lab before this one still has to offer.
std::string text_of_review(const Project& project, const std::string& current) {
    const std::string last = last_worked_on(project);
    const auto standing = standing_of(project, last);
    if (last == current || !standing || !standing->has_full_marks()) return "";
    return fmt::format("       ./lab review {}   lab {}'s reference beside yours\n",
                       last.substr(0, 2), last.substr(0, 2));
}

}  // namespace

void home(Session& session) {
    const Project& project = session.project();
    ProgressRow row;
    int labs = 0, done = 0;
    double points = 0;
    for (const std::string& name : list_labs(project)) {
        const auto standing = standing_of(project, name);
        row.add(visible_word(name.substr(0, 2)), standing);
        ++labs;
        done += standing && standing->has_full_marks() ? 1 : 0;
        points += standing ? standing->best_points : 0;
    }
    std::string text = fmt::format("CUDA Labs: {} of {} labs done, {:g} points\n\n {}\n {}\n\n",
                                   done, labs, points, row.numbers, row.marks);
    if (const auto name = current_lab(project)) {
        const Lab lab = read_lab(project, *name);
        text += text_of_lab(project, lab, session.style());
        text += text_of_review(project, *name);
        text += fmt::format("\nStuck: ./lab hint {}   All labs: ./lab list   Help: ./lab --help\n",
                            lab.number());
    } else {
        text += "You have full marks in every lab.\n\nNext:  ./lab list\n";
    }
    session.say(text);
}

}  // namespace lab::cli
