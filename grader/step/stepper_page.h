// The stepper: one HTML file that steps forwards and backwards through launches that the virtual
// GPU has recorded. It needs no network and no server; page/ has its program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/course/project.h"
#include "step/stepped_run.h"

namespace lab {

struct StepperPage {
    std::string title;      ///< "06 Reduction by a tree"
    std::string call;       ///< "sum_block(n = 45)"; may be empty
    std::string message;    ///< what went wrong, in full; empty: the first finding's words
    std::string diagnosis;  ///< the mistake itself, in a sentence; may be empty
    /// Elements around the first wrong one, as results have them (docs/results.md, "values").
    nlohmann::json wrong;
    /// At least one. The page begins with the first in which the mistake is.
    std::vector<SteppedRun> runs;
};

/// Whether the key `m` leads anywhere: a recording has the mistake, or where it should have been.
bool has_marks(const StepperPage& page);

/// The page. `project`: where its program is. Throws Failure (our fault) where that is missing.
std::string stepper_html(const Project& project, const StepperPage& page);

}  // namespace lab
