// How long a warp would take alone: each instruction waits for the results that it uses, and those
// that depend on nothing overlap. It says what more warps could hide.
//
// Instructions that run straight on are looked at once, in the text; how often they ran is known
// from the tallies. Within such a stretch they may change places, as ptxas moves loads up, but not
// past a store; what is still under way at its end is waited for there.
//
// Interface: Latency, latency_of.
#pragma once

#include <vector>

#include "vgpu/machine/tally.h"

namespace vgpu {

struct Latency {
    double far_cycles = 0;   ///< global loads come from memory
    double near_cycles = 0;  ///< global loads come from the L1 cache
};

/// Added up over all warps.
Latency latency_of(const Image&, const std::vector<Tally>&);

}  // namespace vgpu
