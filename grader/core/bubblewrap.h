// What a sandboxed child is to see, as bubblewrap's command line.
//
// Interface: kBubblewrap, bubblewrap_line.
#pragma once

#include <string>
#include <vector>

#include "core/sandbox.h"

namespace lab {

inline constexpr const char* kBubblewrap = "/usr/bin/bwrap";

/// argv of bubblewrap for the spec; the system call filter is read from `filter_descriptor`, if
/// that is not negative.
std::vector<std::string> bubblewrap_line(const SandboxSpec& spec, int filter_descriptor);

}  // namespace lab
