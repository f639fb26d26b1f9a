// lab list: shows the labs and the student's progress.

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "base/visible.h"
#include "cli/progress/lab_json.h"
#include "cli/session.h"
#include "core/progress.h"
#include "core/results.h"

namespace lab::cli {
namespace {

std::string points_of(const std::optional<Standing>& standing, bool untouched) {
    if (standing && standing->max_points > 0)
        return fmt::format("{}/{}", standing->best_points, standing->max_points);
    return untouched ? "-" : "begun";
}

/// A line of the table. Without points, the title says why the lab is broken.
struct ListLine {
    std::string name, title, minutes, points;
};

/// Titles are cut where the terminal is narrow.
std::string table_of(const std::vector<ListLine>& lines, std::size_t width) {
    constexpr std::size_t kOthers = 2 + 2 + 7 + 2 + 6, kLeastTitle = 8;
    std::size_t names = 0, titles = 0;
    for (const ListLine& line : lines) {
        names = std::max(names, display_width(line.name));
        // A broken lab's title says why it is broken.
        if (!line.points.empty()) titles = std::max(titles, display_width(line.title));
    }
    titles = std::min(titles, std::max(kLeastTitle, width - std::min(width, names + kOthers)));
    std::string text;
    for (const ListLine& line : lines) {
        text += padded(line.name, names) + "  ";
        text += line.points.empty() ? line.title
                                    : fmt::format("{}  {:>7}  {:>6}",
                                                  padded(cut_to_width(line.title, titles), titles),
                                                  line.minutes, line.points);
        text += "\n";
    }
    return text;
}

void list(Session& session) {
    const Project& project = session.project();
    std::vector<ListLine> lines = {{"lab", "title", "minutes", "points"}};
    for (const std::string& name : list_labs(project)) {
        try {
            const Lab lab = read_lab(project, name);
            const auto standing = standing_of(project, name);
            const bool untouched = is_untouched(project, lab);
            lines.push_back({visible_word(name), visible_word(lab.title),
                             std::to_string(lab.minutes), points_of(standing, untouched)});
            session.line(lab_json(lab, standing, untouched));
        } catch (const Failure& failure) {
            // One broken lab does not hide the others.
            lines.push_back({visible_word(name), failure.what(), "", ""});
            session.line(Json{{"type", "error"},
                              {"schema", kResultsSchema},
                              {"lab", name},
                              {"exit_code", static_cast<int>(failure.exit())},
                              {"message", failure.what()}});
            session.exit = failure.exit();
        }
    }
    const std::size_t width = session.style().width;
    session.say(table_of(lines, width) + "\n" +
                wrapped("Your best points so far. ./lab show LAB says more, ./lab next what comes "
                        "next.",
                        0, width));
}

}  // namespace

void add_list(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("list", "All labs, and your points");
    session.add_json(*command);
    command->callback([&session] { list(session); });
}

}  // namespace lab::cli
