// lab hint: shows the next hint of a task, weakest first.

#include <fmt/format.h>

#include <memory>

#include "cli/session.h"
#include "core/progress.h"

namespace lab::cli {
namespace {

struct HintOptions {
    std::string lab;
    std::optional<int> task;
};

/// No hint is needed.
void solved(Session& session, const Lab& lab) {
    session.say(
        fmt::format("Lab {} is solved: full marks. A hint of one task:  ./lab hint {} --task 1\n"
                    "Next:  ./lab next\n",
                    lab.number(), lab.number()));
    session.line(Json{{"type", "hint"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"task", nullptr},
                      {"number", 0},
                      {"count", 0},
                      {"texts", Json::array()}});
}

void hint(Session& session, const HintOptions& options) {
    const Project& project = session.project();
    const Lab lab = session.lab_or_last(options.lab);
    const std::optional<int> task = options.task ? options.task : task_to_hint(project, lab);
    if (!task) return solved(session, lab);
    const NextHint hint = next_hint(project, lab, *task);

    if (hint.were_all_shown) {
        session.say(fmt::format("Lab {}, task {}: you have seen all hints. The {} again:\n",
                                lab.number(), *task, hint.count));
    } else {
        session.say(fmt::format("Lab {}, task {}: hint {} of {}\n", lab.number(), *task,
                                hint.number, hint.count));
    }
    for (const std::string& text : hint.texts)
        session.say("\n" + wrapped(text, 0, session.style().width));
    if (hint.number < hint.count)
        session.say(fmt::format("\nNext hint:  ./lab hint {} --task {}\n", lab.number(), *task));
    session.line(Json{{"type", "hint"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"task", *task},
                      {"number", hint.number},
                      {"count", hint.count},
                      {"texts", hint.texts}});
}

}  // namespace

void add_hint(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("hint", "The next hint, weakest first");
    const auto options = std::make_shared<HintOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: the one last worked on");
    // TASK without a name is the older form, which many users know.
    command->add_option("--task,TASK", options->task,
                        "k of TODO(k/n); none: the first that lost points");
    session.add_json(*command);
    command->callback([&session, options] { hint(session, *options); });
}

}  // namespace lab::cli
