// lab completion: prints a script with which a shell completes commands, options and labs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/nearest.h"
#include "base/process.h"
#include "cli/completion/scripts.h"
#include "cli/session.h"

namespace lab::cli {
namespace {

constexpr std::array kShells{std::pair{"bash", Shell::bash}, std::pair{"zsh", Shell::zsh},
                             std::pair{"fish", Shell::fish}};

Shell parse_shell(const std::string& word) {
    std::vector<std::string> known;
    for (const auto& [name, shell] : kShells) {
        if (word == name) return shell;
        known.emplace_back(name);
    }
    throw usage_failure(
        fmt::format("There is no completion for \"{}\".{} The shells: bash, zsh, fish.", word,
                    did_you_mean(word, known)));
}

/// Puts the commands of another program in the place of those that are handed over to it. A program
/// that is not built yet has none: then only the command's own name is completed.
void add_commands_of(const fs::path& program, std::vector<CompletionCommand>& commands) {
    std::error_code missing;
    if (!fs::exists(program, missing)) return;
    Command ask;
    ask.argv = {program.string(), kTableOption};
    const Finished finished = run(ask);
    if (!finished.ok()) return;
    for (CompletionCommand& command : read_table(finished.out)) {
        if (command.path.empty()) continue;
        const auto known = std::ranges::find(commands, command.path, &CompletionCommand::path);
        if (known == commands.end()) {
            commands.push_back(std::move(command));
        } else {
            command.description = known->description;
            *known = std::move(command);
        }
    }
}

void completion(Session& session, const CLI::App& app, const std::string& word) {
    const Shell shell = parse_shell(word);
    std::vector<CompletionCommand> commands = commands_of(app);
    const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
    for (const char* program : {"lab-dev", "lab-class"}) add_commands_of(own / program, commands);
    session.say_painted(completion_script(shell, commands));
}

}  // namespace

void add_completion(CLI::App& app, Session& session) {
    CLI::App* command =
        app.add_subcommand("completion", "Completion of commands and labs for bash, zsh or fish");
    const auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->type_name("bash|zsh|fish");
    command->footer("Prints a script. Its first lines say how to install it.");
    command->callback([&app, &session, shell] { completion(session, app, *shell); });
}

}  // namespace lab::cli
