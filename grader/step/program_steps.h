// The stepper's page for any program: of the launches that were recorded, the first with a mistake
// and the first few.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "step/stepper_page.h"

namespace lab {

/// Collects the records of a program's launches (grader/vgpu/runtime/records.h).
class ProgramSteps {
public:
    /// False of a record of another kind, which is left alone.
    bool add(std::string_view line);
    /// Nothing if no launch was recorded. Sources are read from where the compiler found them.
    std::optional<StepperPage> page(const std::string& program) const;

private:
    std::vector<SteppedRun> runs_;
};

}  // namespace lab
