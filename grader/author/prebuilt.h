// Makes a release a prebuilt package: with the programs of this build, for machines that have
// neither a build tool nor our libraries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

/// What machines the programs are for.
enum class ProgramsFor {
    all_processors,  ///< of this architecture, and all GPUs
    as_built         ///< what the build folder has: nothing is configured afresh
};

/// Builds the programs for these labs and copies them, stripped, to `release`/prebuilt/programs,
/// with the shared libraries that they need and those libraries' licences (core/course/release.h
/// says which file is where). Throws Failure (our fault).
void add_programs(const Project& project, const std::vector<Lab>& labs, const fs::path& release,
                  ProgramsFor whom);

/// The machine that programs of this build run on, as `uname -m` says it: "x86_64", "aarch64".
std::string machine();

/// The newest version of the C library that objdump -T names: {2, 34}; {0, 0}: none.
std::pair<int, int> glibc_needed(std::string_view symbols);

/// The libraries in ldd's output that a machine with g++ may lack.
std::vector<fs::path> libraries_to_bundle(std::string_view ldd_output);

}  // namespace lab
