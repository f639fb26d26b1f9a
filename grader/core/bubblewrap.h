// Turns the files that a sandboxed child may see into bubblewrap's command line.
#pragma once

#include <string>
#include <vector>

#include "core/sandbox.h"

namespace lab {

/// Where bubblewrap is, or would be: among the packages unpacked into LAB_DEPS (docs/install.md),
/// else the system's.
const std::string& bubblewrap_program();

/// argv of bubblewrap for the spec; the system call filter is read from `filter_descriptor`, if
/// that is not negative.
std::vector<std::string> bubblewrap_line(const SandboxSpec& spec, int filter_descriptor);

}  // namespace lab
