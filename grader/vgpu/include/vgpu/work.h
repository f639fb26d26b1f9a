// What a launch did, as JSON and back: the device process writes it, the checker reads it.
#pragma once

#include <nlohmann/json.hpp>

#include "vgpu/cost.h"
#include "vgpu/counts.h"

namespace vgpu {

nlohmann::ordered_json json_of(const Counts&);
/// Back again. Throws nlohmann::json::exception where one is missing.
Counts counts_of(const nlohmann::json&);

nlohmann::ordered_json json_of(const LineCounts&);
/// Back again. Throws nlohmann::json::exception where something is missing.
LineCounts line_counts_of(const nlohmann::json&);

/// By state: [far, near].
nlohmann::ordered_json json_of(const WarpStates&);
/// Back again. Throws nlohmann::json::exception where one is missing.
WarpStates warp_states_of(const nlohmann::json&);

/// What the record of a launch does not say elsewhere (runtime/records.h).
nlohmann::ordered_json json_of(const model::KernelWork&);
/// Of the record of a launch. Throws nlohmann::json::exception where something is missing.
model::KernelWork work_of(const nlohmann::json& launch);

}  // namespace vgpu
