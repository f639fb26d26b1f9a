// lab nvcc: runs grading's compiler on the user's own programs, with the flags that `lab vgpu run`
// needs.

#include <algorithm>
#include <string_view>

#include "base/process.h"
#include "cli/session.h"

namespace lab::cli {
namespace {

/// Whether one of the arguments is this flag, alone or with its value: -cudart=none.
bool has_flag(const std::vector<std::string>& arguments,
              std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(arguments, [&](const std::string& argument) {
        const std::string_view flag = std::string_view(argument).substr(0, argument.find('='));
        return std::ranges::find(names, flag) != names.end();
    });
}

}  // namespace

void add_nvcc(CLI::App& app, Session& session) {
    CLI::App* command = app.add_subcommand(
        "nvcc", "Compile programs of your own, as grading does; arguments go to nvcc");
    command->set_help_flag();  // nvcc's own --help
    command->prefix_command();
    command->callback([&session, command] {
        const std::vector<std::string> arguments = command->remaining();
        Command nvcc;
        nvcc.argv = {session.project().tools.nvcc};
        // The virtual GPU stands in for the shared runtime, and finds lines through -lineinfo.
        if (!has_flag(arguments, {"-cudart", "--cudart"}))
            nvcc.argv.insert(nvcc.argv.end(), {"-cudart", "shared"});
        // -G includes its own lines, and nvcc warns if both are given.
        if (!has_flag(arguments, {"-lineinfo", "--generate-line-info", "-G", "--device-debug"}))
            nvcc.argv.emplace_back("-lineinfo");
        nvcc.argv.insert(nvcc.argv.end(), arguments.begin(), arguments.end());
        session.exit = static_cast<Exit>(run_attached(nvcc));
    });
}

}  // namespace lab::cli
