// lab show LAB: shows one lab, its files, and the result of the last grading.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/progress/lab_json.h"
#include "cli/session.h"
#include "core/progress.h"

namespace lab::cli {
namespace {

std::string needs(const Project& project, const Lab& lab) {
    std::string text;
    for (const std::string& name : lab.needs) {
        const auto standing = standing_of(project, name);
        const bool done = standing && standing->has_full_marks();
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name, done ? " (done)" : "");
    }
    return text.empty() ? "nothing" : text;
}

void show(Session& session, const std::string& which) {
    const Project& project = session.project();
    const Lab lab = session.lab_or_last(which);
    const auto standing = standing_of(project, lab.name);
    const bool untouched = is_untouched(project, lab);
    std::string text = fmt::format(
        "Lab {}: {}, about {} minutes\n\n"
        "  handout   {}\n"
        "  contract  {}\n"
        "  you edit  {}\n"
        "  before    {}\n",
        lab.number(), lab.title, lab.minutes, (lab.folder() / "README.md").string(),
        lab.contract().string(), lab.file().string(), needs(project, lab));
    Json tests = Json::array();
    if (standing) {
        text += fmt::format("\nLast graded {} on {}: {}/{} points, {} at best\n", standing->time,
                            standing->device, standing->points, standing->max_points,
                            standing->best_points);
        for (const TestResult& test : standing->tests) {
            text += fmt::format("  {:>2g} /{:>2g}   {}\n", test.earned, test.points, test.name);
            tests.push_back({{"name", test.name},
                             {"task", test.task},
                             {"points", test.points},
                             {"earned", test.earned},
                             {"verdict", to_string(test.verdict)}});
        }
    }
    if (untouched) text += "\n" + wrapped(lab.first_step, 0, session.style().width);
    text += fmt::format("\n  ./lab grade {0}    ./lab hint {0}    ./lab reset {0}\n", lab.number());
    session.say(text);
    Json line = lab_json(lab, standing, untouched);
    line["tests"] = tests;
    session.line(line);
}

}  // namespace

void add_show(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("show", "One lab: its files, and your last grading");
    const auto which = std::make_shared<std::string>();
    command->add_option("LAB", *which, "Which lab; none: the one last worked on");
    session.add_json(*command);
    command->callback([&session, which] { show(session, *which); });
}

}  // namespace lab::cli
