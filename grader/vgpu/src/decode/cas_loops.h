// Loops that try an atomicCAS until it works out: those that never will, and those that take a
// lock.
#pragma once

#include <optional>

#include "state/code.h"
#include "state/warp.h"

namespace vgpu {

/// Of a warp that is still in a loop at `pc`: what the lane's atomicCAS waits to find there, and
/// what it found last. Nothing if the loop has none, or more than one, or if that one stored.
std::optional<cause::FailingSwap> failing_cas(const Image&, const Warp&, std::uint32_t pc,
                                              unsigned lane);

/// Whether some loop of the kernel tries an atomicCAS, as one does that takes a lock.
bool tries_swaps(const Image&);

}  // namespace vgpu
