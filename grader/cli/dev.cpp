// lab dev: hands over to lab-dev, which is built when an author first asks for it.

#include "base/process.h"
#include "cli/session.h"
#include "core/targets.h"

namespace lab::cli {

void add_dev(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand("dev", "For authors of labs");
    command->prefix_command();
    command->set_help_flag();  // lab-dev has it
    command->callback([&session, command] {
        const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
        const Project& project = session.project();
        if (own == project.build / "bin") ensure_targets(project, {"lab-dev"});
        Command dev;
        dev.argv = {(own / "lab-dev").string(), "dev"};
        for (const std::string& argument : command->remaining()) dev.argv.push_back(argument);
        session.exit = static_cast<Exit>(run_attached(dev));
    });
}

}  // namespace lab::cli
