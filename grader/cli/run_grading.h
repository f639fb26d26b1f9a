// Runs a grading for a command: shows a line on the terminal while it runs, and a notice instead of
// results if a signal stops it.
#pragma once

#include <string>
#include <string_view>

#include "cli/session.h"
#include "core/grade.h"

namespace lab::cli {

/// The file that `--file` names, else the lab's own, by its path from here.
fs::path file_to_grade(const Project& project, const Lab& lab, const std::string& typed);

/// Where a command puts what it makes, by the command's word: build/pictures, build/steps.
fs::path output_folder(const Project& project, std::string_view word);

/// `doing`: "Grading lab 02"; `if_interrupted`: "nothing was graded".
Grading run_grading(Session& session, const Lab& lab, const Device& device,
                    const GradeRequest& request, std::string_view doing,
                    std::string_view if_interrupted);

}  // namespace lab::cli
