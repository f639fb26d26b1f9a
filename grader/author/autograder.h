// What starts the grader of a release where others run it.
#pragma once

#include <vector>

#include "core/course/lab.h"
#include "core/course/project.h"

namespace lab {

/// Writes what Gradescope expects at the top of an autograder's zip: setup.sh and run_autograder.
/// They grade `lab` with the release in `folder`/cuda-labs, on the virtual GPU.
void add_gradescope(const Project& project, const Lab& lab, const fs::path& folder);

/// Writes .github/workflows/classroom.yml into the release in `folder`: grades each push on the
/// virtual GPU, and shows the points of all `labs` in GitHub Classroom.
void add_github_classroom(const Project& project, const std::vector<Lab>& labs,
                          const fs::path& folder);

}  // namespace lab
