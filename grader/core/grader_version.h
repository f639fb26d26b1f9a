// The version of all that grades a lab, as a hash: results of equal versions need no second
// grading.
#pragma once

#include <string>
#include <vector>

#include "core/build/build.h"

namespace lab {

/// The files whose content decides what a grading of the lab says: checker, runners, virtual GPU,
/// contract, solution, baseline, lab.toml, and what compiles and boxes submissions. Not among them:
/// the handout, the student's own file, and `lab`, which only shows results. Sorted; they must be
/// built.
std::vector<fs::path> grading_files(const Project& project, const Lab& lab, const Device& device,
                                    const Builder& builder);

/// In hexadecimal: of grading_files(), nvcc, the device and the kind of isolation. Another GPU of
/// the same name has the same one.
std::string grader_version(const Project& project, const Lab& lab, const Device& device,
                           const Builder& builder);

/// In hexadecimal: of the sources of all that judges a submission of the lab, once it is compiled:
/// checker, runner, sandbox, virtual GPU, the lab's contract, grader and lab.toml. The same in
/// every checkout and on every machine.
std::string grader_source_hash(const Project& project, const Lab& lab);

}  // namespace lab
