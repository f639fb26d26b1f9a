// Builds targets of ours in the build folder, when something that they are made from has changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/project.h"

namespace lab {

/// Builds CMake targets of ours, if they are not up to date, one process at a time in a build
/// folder. Adds this processor's instruction set to the virtual GPU where it has none that runs
/// here. What takes long calls project.on_progress. Throws Failure (our fault).
void ensure_targets(const Project& project, const std::vector<std::string>& targets);

/// How far ninja is, from the last "[12/93] " in what it has printed; nothing before the first.
std::optional<BuildProgress> read_progress(std::string_view ninja_output);

/// The value of a variable in the text of a CMakeCache.txt; empty: it is not there.
std::string cmake_variable(std::string_view cache, std::string_view name);

}  // namespace lab
