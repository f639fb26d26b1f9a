#include "cli/hand_over.h"

#include "base/process.h"
#include "core/build/targets.h"

namespace lab::cli {

void add_handed_over(CLI::App& app, Session& session, const std::string& name,
                     const std::string& program, const std::string& description) {
    CLI::App* command = app.add_subcommand(name, description);
    command->prefix_command();
    command->set_help_flag();  // the program has it
    command->callback([&session, command, name, program] {
        const fs::path own = fs::read_symlink("/proc/self/exe").parent_path();
        const Project& project = session.project();
        if (own == project.programs() / "bin") ensure_targets(project, {program});
        Command handed_over;
        handed_over.argv = {(own / program).string(), name};
        for (const std::string& argument : command->remaining())
            handed_over.argv.push_back(argument);
        session.exit = static_cast<Exit>(run_attached(handed_over));
    });
}

}  // namespace lab::cli
