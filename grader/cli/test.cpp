// lab test: runs the project's own tests. The launcher does the work (it configures and builds a
// separate folder for them, with warnings as errors), so this only hands over.

#include "base/process.h"
#include "cli/session.h"

namespace lab::cli {

void add_test(CLI::App& app, Session& session) {
    CLI::App* command =
        app.add_subcommand("test", "The project's own tests; further arguments go to ctest");
    command->prefix_command();
    command->callback([&session, command] {
        Command launcher;
        launcher.argv = {(session.project().root / "lab").string(), "test"};
        for (const std::string& argument : command->remaining()) launcher.argv.push_back(argument);
        session.exit = static_cast<Exit>(run_attached(launcher));
    });
}

}  // namespace lab::cli
