// What a program's author can do about a finding of the virtual GPU.
#pragma once

#include <string>

#include "vgpu/finding.h"

namespace lab {

/// Follows the finding's sentence; empty where that has the remedy already, as of host code.
std::string remedy(const vgpu::Finding&);

}  // namespace lab
