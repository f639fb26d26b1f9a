// lab next: suggests the next step.

#include <fmt/format.h>

#include "cli/session.h"
#include "core/progress.h"

namespace lab::cli {
namespace {

void next(Session& session) {
    const Project& project = session.project();
    const auto name = next_lab(project);
    if (!name) {
        session.say("You have full marks in every lab. ./lab list shows them.\n");
        session.line(Json{{"type", "next"}, {"schema", kResultsSchema}, {"lab", nullptr}});
        return;
    }
    const Lab lab = read_lab(project, *name);
    const bool untouched = is_untouched(project, lab);
    const std::string step =
        untouched ? lab.first_step
                  : fmt::format("You have begun {}. ./lab hint {} helps when you are stuck.",
                                lab.file().string(), lab.number());
    session.say(fmt::format("Lab {}: {}, about {} minutes\n\n{}Then:  ./lab grade {}\n",
                            lab.number(), lab.title, lab.minutes,
                            wrapped(step, 0, session.style().width), lab.number()));
    session.line(Json{{"type", "next"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"untouched", untouched},
                      {"step", step}});
}

}  // namespace

void add_next(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("next", "What to do next");
    session.add_json(*command);
    command->callback([&session] { next(session); });
}

}  // namespace lab::cli
