// The steps that a mistake is about: both sides of a finding, the store that left a wrong value, or
// where a lane should have written one.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "step/stepped_run.h"

namespace lab {

struct StepMark {
    std::size_t index = 0;    ///< of the step
    std::uint32_t lane = 0;   ///< that it is about
    std::string label;        ///< "write", "read", "wrong value"
    bool is_missing = false;  ///< the lane does not touch the mistake's place here, and should have
};

struct StepMarks {
    std::vector<StepMark> steps;           ///< in order; none if the recording has none of it
    std::optional<vgpu::Address> address;  ///< where in memory the mistake is
};

/// `wrong`: elements around a wrong one, as results have them (docs/results.md, "values"); or null.
/// `reference`: its run of the same launch, which knows who should have written an element that
/// nobody wrote; or null.
StepMarks marks_of(const SteppedRun& run, const nlohmann::json& wrong, const SteppedRun* reference);

}  // namespace lab
