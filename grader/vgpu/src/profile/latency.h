// The time that a warp would take alone: each instruction waits for the results that it uses, and
// independent ones overlap. More warps could hide this time.
#pragma once

#include <unordered_map>
#include <vector>

#include "profile/tally.h"

// Straight-line code is analysed once, in the text; the tallies say how often it ran. Within such a
// stretch instructions may change places, as ptxas moves loads up, but not past a store. Its end
// waits for all that is still under way.

namespace vgpu {

struct Latency {
    double far_cycles = 0;   ///< global loads come from memory
    double near_cycles = 0;  ///< global loads come from the L1 cache
    WarpStates states{};     ///< both by what the longest chain of results waits for
};

/// Of one image, launch after launch.
class LatencyTable {
public:
    /// Added up over all warps.
    Latency of(const Image&, const std::vector<Tally>&);

private:
    std::unordered_map<std::size_t, Latency> from_;  ///< an instruction to the end of its stretch
};

}  // namespace vgpu
