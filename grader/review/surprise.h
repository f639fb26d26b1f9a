// One thing about a student's own kernel that few would expect, from its counts and the model.
#pragma once

#include <string>

#include "profiler/kernel_profile.h"

namespace lab {

/// A few sentences. Deterministic: of all that hold for this kernel, the least expected.
std::string surprise_about(const KernelProfile&, const vgpu::model::Gpu&);

}  // namespace lab
