// Words a speed test on a GPU for the student, and writes its fields of the result line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "check/gpu/gpu_state.h"
#include "check/speed/speed_decision.h"

namespace lab {

/// The message of a failed speed test: too slow, or impossibly fast.
std::string speed_message(const std::string& call_text, const SpeedDecision& decision,
                          const SpeedTimes& times, const GpuSeen& seen);

/// Who disturbed, when that is why there is no verdict; else empty.
std::string disturbed_note(const SpeedDecision& decision, const GpuSeen& seen);

/// All fields but the medians and samples of each program.
nlohmann::json speed_json(const SpeedDecision& decision, const SpeedTimes& times,
                          const GpuSeen& seen);

}  // namespace lab
