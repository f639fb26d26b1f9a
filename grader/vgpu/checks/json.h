// Findings and counts as JSON objects, for those who put them into larger ones. As text: to_json
// (vgpu/device.h).
//
// Interface: json_of, counts_of.
#pragma once

#include <nlohmann/json.hpp>

#include "vgpu/device.h"

namespace vgpu {

nlohmann::ordered_json json_of(const Finding&);
nlohmann::ordered_json json_of(const Counts&);
/// Back again. Throws nlohmann::json::exception where one is missing.
Counts counts_of(const nlohmann::json&);

}  // namespace vgpu
