// Turns the files that a sandboxed child may see into bubblewrap's command line.
#pragma once

#include <string>
#include <vector>

#include "sandbox/sandbox.h"

namespace lab {

/// The path of bubblewrap, whether it exists or not: among the packages unpacked into LAB_DEPS
/// (docs/install.md), else the system's.
const std::string& bubblewrap_program();

/// bubblewrap's argv for the spec, with sandbox-init as the first process. That reads the system
/// call filter from `filter_descriptor`, unless it is negative, and writes the program's wait
/// status to `status_descriptor`.
std::vector<std::string> bubblewrap_line(const SandboxSpec& spec, int filter_descriptor,
                                         int status_descriptor);

}  // namespace lab
