// Reads from the shadow words what a launch did to global memory.
#pragma once

#include <vector>

#include "execute/execution.h"

namespace vgpu {

/// LaunchResult::footprint, in as few ranges as possible. The execution is the latest one.
std::vector<Footprint> footprint(DeviceMemory&, const Execution&);

/// LaunchResult::writers, in as few rows as possible.
std::vector<Writers> writers(DeviceMemory&, const Execution&);

}  // namespace vgpu
