// The lines of source that a finding of the virtual GPU is about, each with what happened there.
#pragma once

#include <nlohmann/json.hpp>

#include "check/output/place.h"
#include "vgpu/describe.h"

namespace lab {

/// The `places` of a result line (docs/results.md): the finding's own line first, then that of the
/// other access of a race. Empty when no line is known.
nlohmann::json finding_places(const vgpu::Finding& finding, const vgpu::Names& names);

/// One of `places`, of which nothing but the line is known.
nlohmann::json place_to_show(const Place& place);

}  // namespace lab
