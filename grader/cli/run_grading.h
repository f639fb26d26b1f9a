// Runs a grading for a command: shows a line on the terminal while it runs, and a notice instead of
// results if a signal stops it.
#pragma once

#include <string_view>

#include "cli/session.h"
#include "core/grade.h"

namespace lab::cli {

/// `doing`: "Grading lab 02"; `if_interrupted`: "nothing was graded".
Grading run_grading(Session& session, const Lab& lab, const Device& device,
                    const GradeRequest& request, std::string_view doing,
                    std::string_view if_interrupted);

}  // namespace lab::cli
