// Runs a program of commands: reads the command line, runs one command, turns failures into
// messages and exit codes. main.cpp has the students' and instructors' commands, dev/main.cpp the
// authors'.
#pragma once

#include <functional>

#include "cli/session.h"

namespace lab::cli {

/// Returns the exit code. `without_command` runs when the command line has none; empty: prints the
/// help.
int run_app(int argc, char** argv, const std::function<void(CLI::App&, Session&)>& add_commands,
            const std::function<void(Session&)>& without_command = {});

}  // namespace lab::cli
