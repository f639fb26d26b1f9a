// Loops of a kernel that look at memory which the host sees, too: a flag that the host is to set.
//
// On a GPU the host goes on while a kernel runs. Here a launch does not return until its kernel has
// ended, so that what the host does after the launch comes too late for it.
//
// Interface: waits_for_host.
#pragma once

#include <string>

#include "vgpu/machine/execution.h"

namespace vgpu {

/// What to add to the message about a warp that is still in a loop at `pc`; empty if that loop
/// looks at no memory of the host's with volatile or atomic operations.
std::string waits_for_host(const Warp&, std::uint32_t pc, unsigned lane);

}  // namespace vgpu
