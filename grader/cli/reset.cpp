// lab reset: restores the skeleton, and keeps a backup of the student's file.

#include <fmt/format.h>

#include <memory>

#include "cli/session.h"
#include "core/progress.h"

namespace lab::cli {
namespace {

void reset(Session& session, const std::string& which) {
    const Project& project = session.project();
    const Lab lab = session.lab_or_last(which);
    const auto backup = reset_lab(project, lab);
    const std::string file = lab.file().string();
    if (backup) {
        const std::string kept = fs::relative(*backup, project.root).string();
        session.say(fmt::format(
            "{0} is as it was handed out.\nYour version is kept in {1}. To have it back:\n"
            "    cp {1} {0}\n",
            file, kept));
    } else {
        session.say(fmt::format("{} is as it was handed out; there was nothing to keep.\n", file));
    }
    session.line(Json{{"type", "reset"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"file", file},
                      {"backup", backup ? Json(backup->string()) : nullptr}});
}

}  // namespace

void add_reset(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("reset", "Start a lab's file afresh; keeps a backup");
    const auto which = std::make_shared<std::string>();
    command->add_option("LAB", *which, "Which lab; none: the one last worked on");
    session.add_json(*command);
    command->callback([&session, which] { reset(session, *which); });
}

}  // namespace lab::cli
