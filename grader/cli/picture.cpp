// lab picture: draws the results of the student's kernels.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/figures.h"

namespace lab::cli {
namespace {

void picture(Session& session, const FigureOptions& options) {
    const Grading grading =
        run_cases(session, options, prepare(session, options, Cases::pictures), "picture");
    for (const TestResult& test : grading.checked.tests) {
        const bool is_empty =
            !test.tables.empty() && std::ranges::all_of(test.tables, [](const WrittenTable& table) {
                return table.rows == 0;
            });
        if (is_empty) {
            session.say(fmt::format(
                "Nothing to draw for \"{}\": your code has not done anything yet that it shows.\n",
                test.name));
        }
    }
    say_drawn(session, draw_tables(session, grading, options));
}

}  // namespace

void add_picture(CLI::App& app, Session& session) {
    CLI::App* command =
        app.add_subcommand("picture", "Draw your kernels' results next to the expected ones");
    const auto options = std::make_shared<FigureOptions>();
    add_figure_options(*command, session, *options);
    command->callback([&session, options] { picture(session, *options); });
}

}  // namespace lab::cli
