// The help of all of ./lab, on one screen of 80x24: a row for each command of a learner, and the
// names of the others, which have help of their own.
#pragma once

#include <CLI/CLI.hpp>

namespace lab::cli {

/// The group of the commands that get a row each.
inline constexpr const char* kLearning = "Learning";

/// Puts each command in the group that it is listed in. To be called when all have been added.
/// Throws Failure (our fault) for a command that is in none, and for one that does not exist.
void give_overview(CLI::App& app);

}  // namespace lab::cli
