// Loops of a kernel that look at memory which the host sees, too: a flag that the host is to set.
//
// On a GPU the host goes on while a kernel runs. Here a launch does not return until its kernel has
// ended, so that what the host does after the launch comes too late for it.
#pragma once

#include <optional>

#include "execute/execution.h"

namespace vgpu {

/// The memory of the host's that a loop around `pc`, where the lane still is, reads with volatile
/// or atomic operations.
std::optional<Allocation> polled_host_memory(const Warp&, std::uint32_t pc, unsigned lane);

}  // namespace vgpu
