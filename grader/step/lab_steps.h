// The stepper's page for a call of a lab's function, from what the checker recorded
// (check/session/stepped_call.h).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/results.h"
#include "step/stepper_page.h"

namespace lab {

/// The call that was recorded.
struct LabSteps {
    std::string test, call;
    bool failed = false;
    /// Without runs if the call launched no kernel.
    StepperPage page;
};

/// Nothing where no test called the function. Throws Failure (our fault) when `record` is not what
/// the checker writes.
std::optional<LabSteps> lab_steps(const Grading& grading, const nlohmann::json& record);

}  // namespace lab
