// Findings as JSON objects, for those who put them into larger ones. As text: to_json
// (vgpu/device.h). Counts: work.h.
//
// Interface: json_of.
#pragma once

#include <nlohmann/json.hpp>

#include "vgpu/device.h"

namespace vgpu {

nlohmann::ordered_json json_of(const Finding&);

}  // namespace vgpu
