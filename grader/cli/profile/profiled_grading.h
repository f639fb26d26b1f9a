// Grades a lab on the virtual GPU, with what it counted of each function.
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "core/results.h"
#include "profiler/lab_profiles.h"

namespace lab::cli {

struct Profiled {
    Grading grading;
    std::vector<ProfiledCall> calls;  ///< none where the submission did not build
};

/// `typed`: the file that --file names; empty: the lab's own. Throws Failure as grade() does.
Profiled profiled_grading(Session& session, const Lab& lab, const std::string& typed);

}  // namespace lab::cli
