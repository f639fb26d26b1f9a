// Builds our targets in the build folder, if their sources have changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/course/project.h"

namespace lab {

/// Builds our CMake targets, if they are not up to date, one process at a time in a build folder.
/// Adds this processor's instruction set to the virtual GPU if it has none that runs here. Long
/// builds call project.on_progress. Throws Failure (our fault). In a prebuilt package nothing is
/// built: throws Failure (usage) if something is missing.
void ensure_targets(const Project& project, const std::vector<std::string>& targets);

/// What a target makes: a file or a folder, from that of the programs (bin/ and lib/).
fs::path made_by(const Project& project, std::string_view target);

/// ninja's progress, from the last "[12/93] " in its output; nothing before the first.
std::optional<BuildProgress> read_progress(std::string_view ninja_output);

/// The value of a variable in the text of a CMakeCache.txt; empty: it is not there.
std::string cmake_variable(std::string_view cache, std::string_view name);

}  // namespace lab
