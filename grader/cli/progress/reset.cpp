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
            "{} is as it was handed out.\nYour version is kept in {}. To have it back:\n"
            "    ./lab reset {} --undo\n",
            file, kept, lab.number()));
    } else {
        session.say(fmt::format("{} is as it was handed out; there was nothing to keep.\n", file));
    }
    session.line(Json{{"type", "reset"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"file", file},
                      {"backup", backup ? Json(backup->string()) : nullptr}});
}

void undo(Session& session, const std::string& which) {
    const Project& project = session.project();
    const Lab lab = session.lab_or_last(which);
    const UndoneReset undone = undo_reset(project, lab);
    const std::string file = lab.file().string();
    session.say(fmt::format("{} is your version from before the reset again.\n", file));
    if (undone.kept)
        session.say(
            fmt::format("What it was until now is kept in {}; --undo again exchanges them.\n",
                        fs::relative(*undone.kept, project.root).string()));
    session.line(Json{{"type", "reset_undone"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"file", file},
                      {"restored", undone.restored.string()},
                      {"backup", undone.kept ? Json(undone.kept->string()) : nullptr}});
}

}  // namespace

void add_reset(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("reset", "Start a lab's file afresh; keeps a backup");
    const auto which = std::make_shared<std::string>();
    command->add_option("LAB", *which, "Which lab; none: the one last worked on");
    const auto undoes = std::make_shared<bool>(false);
    command->add_flag("--undo", *undoes, "Bring back what the last reset has kept");
    session.add_json(*command);
    command->callback([&session, which, undoes] { (*undoes ? undo : reset)(session, *which); });
}

}  // namespace lab::cli
