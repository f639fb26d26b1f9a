// The options of this run of the checker.
#pragma once

#include <string>

#include "protocol/checker_options.h"

namespace lab {

/// Set once, by main.
const CheckerOptions& options();
/// The lab that this checker grades; set with them.
const std::string& lab_name();

/// Reads a command line (argv[0] is the program) over `into`. Returns an exit code to stop with, or
/// -1.
int read_options(int argc, const char* const* argv, const std::string& lab, CheckerOptions& into);
/// Reads it into options().
int parse_options(int argc, const char* const* argv, const std::string& lab);

}  // namespace lab
