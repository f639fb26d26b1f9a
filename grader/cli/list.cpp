// lab list: the labs and how far one is.

#include <fmt/format.h>

#include "cli/lab_json.h"
#include "cli/session.h"
#include "core/results.h"

namespace lab::cli {
namespace {

std::string points_of(const std::optional<Standing>& standing, bool untouched) {
    if (standing && standing->max_points > 0)
        return fmt::format("{}/{}", standing->best_points, standing->max_points);
    return untouched ? "-" : "begun";
}

void list(Session& session) {
    const Project& project = session.project();
    session.say(fmt::format("{:<22} {:<24} {:>7} {:>8}\n", "lab", "title", "minutes", "points"));
    for (const std::string& name : list_labs(project)) {
        try {
            const Lab lab = read_lab(project, name);
            const auto standing = standing_of(project, name);
            const bool untouched = is_untouched(project, lab);
            session.say(fmt::format("{:<22} {:<24} {:>7} {:>8}\n", name, lab.title, lab.minutes,
                                    points_of(standing, untouched)));
            session.line(lab_json(lab, standing, untouched));
        } catch (const Failure& failure) {
            // One broken lab does not hide the others.
            session.say(fmt::format("{:<22} {}\n", name, failure.what()));
            session.line(Json{{"type", "error"},
                              {"schema", kResultsSchema},
                              {"lab", name},
                              {"exit_code", static_cast<int>(failure.exit())},
                              {"message", failure.what()}});
            session.exit = failure.exit();
        }
    }
    session.say(
        "\nYour best points so far. ./lab show LAB says more, ./lab next what comes next.\n");
}

}  // namespace

void add_list(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("list", "All labs, and your points");
    session.add_json(*command);
    command->callback([&session] { list(session); });
}

}  // namespace lab::cli
