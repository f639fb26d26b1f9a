// lab hint: the next hint of a task, weakest first.

#include <fmt/format.h>

#include <memory>

#include "cli/session.h"
#include "core/progress.h"

namespace lab::cli {
namespace {

void hint(Session& session, const std::string& which, std::optional<int> wanted) {
    const Project& project = session.project();
    const Lab lab = which.empty() ? read_lab(project, last_worked_on(project)) : session.lab(which);
    const int task = wanted ? *wanted : task_to_hint(project, lab);
    const NextHint hint = next_hint(project, lab, task);

    if (hint.were_all_shown) {
        session.say(fmt::format("Lab {}, task {}: there are no more hints. All {} again:\n",
                                lab.number(), task, hint.count));
    } else {
        session.say(fmt::format("Lab {}, task {}: hint {} of {}\n", lab.number(), task, hint.number,
                                hint.count));
    }
    for (const std::string& text : hint.texts) session.say("\n" + wrapped(text));
    if (hint.number < hint.count)
        session.say(fmt::format("\nStill stuck?  ./lab hint {} {}\n", lab.number(), task));
    session.line(Json{{"type", "hint"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"task", task},
                      {"number", hint.number},
                      {"count", hint.count},
                      {"texts", hint.texts}});
}

}  // namespace

void add_hint(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("hint", "The next hint, weakest first");
    const auto which = std::make_shared<std::string>();
    const auto task = std::make_shared<std::optional<int>>();
    command->add_option("LAB", *which, "Which lab; none: the one last worked on");
    command->add_option("TASK", *task, "k of TODO(k/n); none: the first that lost points");
    session.add_json(*command);
    command->callback([&session, which, task] { hint(session, *which, *task); });
}

}  // namespace lab::cli
