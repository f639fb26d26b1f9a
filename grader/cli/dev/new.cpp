// lab dev new: creates a lab to begin from.

#include <fmt/format.h>

#include <memory>

#include "author/new_lab.h"
#include "cli/session.h"

namespace lab::cli {
namespace {

void make(Session& session, const std::string& name, const std::string& title) {
    const NewLab made = make_lab(session.project(), name, title);
    std::vector<std::string> files;
    for (const fs::path& file : made.files) files.push_back(file.string());
    session.line(Json{
        {"type", "new_lab"}, {"schema", kResultsSchema}, {"lab", made.name}, {"files", files}});
    session.say(fmt::format(
        "Made labs/{0} and solutions/{0}, {1} files, and in CMakeLists.txt: add_lab({0})\n\n"
        "It is a whole lab already, about doubling a vector, and keeps its promises:\n"
        "    ./lab dev check {2}\n"
        "Change it piece by piece, and check after each: docs/add-a-lab.md says in which order.\n"
        "The skeleton is cut from the solution:\n"
        "    edit solutions/{0}/{3}.cu, then  ./lab dev skeleton --write {2}\n"
        "Last, give it a row in README.md's table of labs.\n",
        made.name, files.size(), made.number, made.topic));
}

}  // namespace

void add_dev_new(CLI::App& dev, Session& session) {
    CLI::App* command = dev.add_subcommand("new", "A new lab from the template, ready to change");
    const auto name = std::make_shared<std::string>();
    const auto title = std::make_shared<std::string>();
    command->add_option("NAME", *name, "NN-topic, for example 11-occupancy")->required();
    command->add_option("TITLE", *title, "For example \"Occupancy\"")->required();
    session.add_json(*command);
    command->callback([&session, name, title] { make(session, *name, *title); });
}

}  // namespace lab::cli
