#include "cli/overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "base/failure.h"

namespace lab::cli {
namespace {

struct Group {
    const char* name;
    std::vector<std::string> commands;
};

const std::vector<Group>& groups() {
    static const std::vector<Group> all{
        {kLearning,
         {"grade", "watch", "next", "hint", "step", "picture", "bench", "profile", "review", "list",
          "show", "reset"}},
        {"Your own programs", {"vgpu", "nvcc"}},
        {"This machine", {"doctor", "completion", "book", "verify"}},
        {"Classes", {"batch", "chunk", "mark", "report"}},
        {"Authors", {"dev", "test"}}};
    return all;
}

class Overview : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
        std::string text =
            app->get_description() + "\nUsage: ./lab COMMAND ...      ./lab COMMAND --help\n\n";
        for (const Group& group : groups()) {
            if (group.name == std::string_view(kLearning)) {
                for (const std::string& command : group.commands)
                    text += fmt::format("  {:<9}{}\n", command,
                                        app->get_subcommand(command)->get_description());
                text += '\n';
            } else {
                text += fmt::format("  {:<20}{}\n", std::string(group.name) + ":",
                                    fmt::join(group.commands, ", "));
            }
        }
        return text + "\n" + app->get_footer() + "\n";
    }
};

}  // namespace

void give_overview(CLI::App& app) {
    std::size_t listed = 0;
    for (const Group& group : groups()) {
        for (const std::string& command : group.commands) {
            const auto known = app.get_subcommands(
                [&](const CLI::App* one) { return one->get_name() == command; });
            if (known.empty()) throw own_fault("The overview lists no command: " + command);
            known.front()->group(group.name);
            ++listed;
        }
    }
    if (listed != app.get_subcommands(nullptr).size())
        throw own_fault("The overview lacks a command.");
    app.formatter(std::make_shared<Overview>());
}

}  // namespace lab::cli
