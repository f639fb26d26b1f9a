// Commands that run the work of others.
#pragma once

namespace lab::cli {

/// Throws Failure (usage) if the sandbox is turned off (LAB_SANDBOX=off), which is for a user's own
/// code only. `command` is the command as typed, without ./lab: "batch".
void refuse_without_sandbox(const char* command);

}  // namespace lab::cli
