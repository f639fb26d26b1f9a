// The tools that read what nvcc made of a submission, and what it means when one of them fails.
#pragma once

#include <string>

#include "core/build/boxed_tool.h"
#include "core/course/project.h"

namespace lab {

/// Throws the Failure that `result`, no success, stands for. Our tools accept every object that
/// nvcc makes of an ordinary file. `shown`: the student's path.
[[noreturn]] void throw_tool_failure(const BoxedTool& tool, const ConfinedResult& result,
                                     const std::string& shown, const Project& project);

/// Runs the tool, and returns what it printed. Throws Failure.
std::string require_tool(const BoxedTool& tool, const std::string& shown, const Project& project);

}  // namespace lab
