// The sandbox's system call filters, as seccomp programs.
#pragma once

#include <linux/filter.h>

#include <vector>

#include "sandbox/sandbox.h"

namespace lab {

/// The filter for one kind of child; empty for SystemCalls::all. Throws SandboxError.
std::vector<sock_filter> filter_program(SystemCalls kind);

}  // namespace lab
