// Runs a launch: blocks one after the other, a block's warps in turn, a warp until it must wait.
#pragma once

#include "vgpu/machine/execution.h"

namespace vgpu {

/// Runs every block of the launch; what happened is in the execution afterwards.
void run(Execution&);

}  // namespace vgpu
