// Loops that try an atomicCAS until it works out: those that never will, and those that take a
// lock.
//
// Interface: failing_swap, tries_swaps.
#pragma once

#include <string>

#include "vgpu/machine/execution.h"

namespace vgpu {

/// What to add to the message about a warp that is still in a loop at `pc`: what the lane's
/// atomicCAS waits to find there, and what it found last. Empty if the loop has none, or more than
/// one, or if that one stored.
std::string failing_swap(const Warp&, std::uint32_t pc, unsigned lane);

/// Whether some loop of the kernel tries an atomicCAS, as one does that takes a lock.
bool tries_swaps(const Image&);

}  // namespace vgpu
