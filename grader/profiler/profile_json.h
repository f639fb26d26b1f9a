// A kernel's profile as a line of JSON (docs/results.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "profiler/kernel_profile.h"

namespace lab {

nlohmann::ordered_json profile_json(const std::string& title, const KernelProfile&,
                                    const vgpu::model::Gpu&);

}  // namespace lab
