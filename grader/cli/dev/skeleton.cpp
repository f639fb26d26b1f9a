// lab dev skeleton: keeps labs/NN-topic/TOPIC.cu what its solution cuts to.

#include <fmt/format.h>

#include <memory>

#include "base/files.h"
#include "cli/session.h"
#include "core/course/skeleton.h"

namespace lab::cli {
namespace {

struct SkeletonOptions {
    std::string lab;
    bool check = false, write = false;
};

/// A line next to its counterpart in the other text; they may differ only in the newline.
std::string shown(const std::optional<std::string>& line, const std::optional<std::string>& other) {
    if (!line) return "(the file ends)";
    if (other && *line + "\n" == *other) return *line + "   (without a newline)";
    return line->substr(0, line->find('\n'));
}

void look_at(Session& session, const Lab& lab, bool write) {
    const Project& project = session.project();
    const std::string file = lab.file().string();
    const std::string expected = skeleton_of(project, lab);
    const std::string got = read_file_if_there(project.root / file).value_or("");
    const auto difference = first_difference(expected, got);
    if (difference && write) write_atomically(project.root / file, expected);
    const char* state = !difference ? "same" : write ? "written" : "differs";
    session.line(Json{{"type", "skeleton"},
                      {"schema", kResultsSchema},
                      {"lab", lab.name},
                      {"file", file},
                      {"state", state},
                      {"line", difference ? difference->line : 0}});
    if (!difference || write) {
        session.say(fmt::format("{}: {}\n", file, state));
        return;
    }
    session.say(
        fmt::format("{0}:{1}: differs from what {2} cuts to\n    expected  {3}\n    got       {4}\n"
                    "  If the solution is right:  ./lab dev skeleton --write {5}\n",
                    file, difference->line, lab.solution().string(),
                    shown(difference->expected, difference->got),
                    shown(difference->got, difference->expected), lab.number()));
    session.exit = Exit::tests_failed;
}

void skeleton(Session& session, const SkeletonOptions& options) {
    if (!options.lab.empty()) return look_at(session, session.lab(options.lab), options.write);
    for (const std::string& name : list_labs(session.project()))
        look_at(session, read_lab(session.project(), name), options.write);
}

}  // namespace

void add_dev_skeleton(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand(
        "skeleton", "Compare the skeletons with those cut from the solutions, or write them");
    const auto options = std::make_shared<SkeletonOptions>();
    command->add_option("LAB", options->lab, "Which lab; none: all");
    CLI::Option* check = command->add_flag("--check", options->check, "Only compare (the default)");
    command->add_flag("--write", options->write, "Write the skeletons that differ")
        ->excludes(check);
    session.add_json(*command);
    command->callback([&session, options] { skeleton(session, *options); });
}

}  // namespace lab::cli
