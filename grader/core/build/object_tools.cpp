#include "core/build/object_tools.h"

#include <fmt/format.h>

#include "base/ended_from_outside.h"
#include "base/failure.h"
#include "base/files.h"
#include "base/process.h"

namespace lab {
namespace {

/// Addresses of 32 bits do not reach across 2 GiB of code and global variables.
bool is_beyond_a_program(std::string_view linker_output) {
    return linker_output.find("relocation truncated to fit") != std::string_view::npos ||
           linker_output.find("failed to convert GOTPCREL") != std::string_view::npos;
}

}  // namespace

void throw_tool_failure(const BoxedTool& tool, const ConfinedResult& result,
                        const std::string& shown, const Project& project) {
    const std::string name = fs::path(tool.argv.front()).filename();
    if (const int signal = signal_from_outside(result); !result.timed_out && signal != 0)
        throw Interrupted(name + " " + ended_from_outside(signal));
    if (result.output_cut || ran_out_of_time(result) || ran_out_of_memory(result) ||
        made_too_much(result, project.build) || is_beyond_a_program(result.output))
        throw build_failure(fmt::format(
            "{}: the compiled file is too large for a program.\nLook for very large global arrays, "
            "and for macros and templates that multiply.\n",
            shown));
    if (const std::string fix = disk_trouble(result.output, project.build); !fix.empty())
        throw own_fault(fmt::format("{} failed. {}\n{}", name, fix, result.output));
    if (result.output.starts_with("bwrap: ") || result.output.starts_with("sandbox-init: "))
        throw own_fault(fmt::format("{} could not be run:\n{}", name, result.output));
    throw build_failure(fmt::format("{}: the compiled file could not be linked ({}).\n{}", shown,
                                    name, last_lines(result.output, 8)));
}

std::string require_tool(const BoxedTool& tool, const std::string& shown, const Project& project) {
    const ConfinedResult result = run_boxed(tool);
    if (result.timed_out || result.exit_code != 0 || result.output_cut)
        throw_tool_failure(tool, result, shown, project);
    return result.output;
}

}  // namespace lab
