// Hands a command over to a program of its own, which is built when somebody first asks for it.
#pragma once

#include <string>

#include "cli/session.h"

namespace lab::cli {

/// Adds the command `name`; all words after it, --help too, go to `program name`.
void add_handed_over(CLI::App& app, Session& session, const std::string& name,
                     const std::string& program, const std::string& description);

}  // namespace lab::cli
