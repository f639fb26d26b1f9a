// Finds the compiler and the linker's programs that submissions are built with.
#pragma once

#include "core/course/project.h"

namespace lab {

/// Those that CMake found. LAB_NVCC names another nvcc.
Tools tools_of_the_build(const Environment& environment);

/// For programs that were built on another machine: those in the PATH, and the toolkit of LAB_NVCC,
/// else of the one that ./lab installs in `root`. A program that is missing has its mere name, so
/// that starting it says so.
Tools tools_of_this_machine(const fs::path& root, const Environment& environment);

}  // namespace lab
