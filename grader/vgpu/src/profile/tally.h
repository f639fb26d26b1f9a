// Adds up what each instruction does while a kernel runs: the source of all counts.
#pragma once

#include <cstdint>
#include <vector>

#include "state/code.h"

// Instructions without a branch or a meeting of lanes between them run as one stretch, which is
// counted at its first instruction only: executions() spreads it over the others.

namespace vgpu {

/// One instruction's share. A request is one warp's access with at least one active lane.
struct alignas(64) Tally {
    std::uint64_t starts = 0, start_lanes = 0;    ///< stretches that begin here
    std::uint64_t repeats = 0, repeat_lanes = 0;  ///< executions that only waited for other lanes
    std::uint64_t joined_lanes = 0;               ///< lanes that waited here, then took part
    std::uint64_t divergent = 0;                  ///< branches whose lanes parted
    std::uint64_t global_requests = 0, global_sectors = 0, global_passes = 0;
    std::uint64_t scattered_sectors = 0;  ///< of global requests whose lanes are pages apart
    std::uint64_t shared_requests = 0, shared_wavefronts = 0;
    std::uint64_t local_requests = 0, local_sectors = 0;
    std::uint64_t global_lanes = 0, shared_lanes = 0;  ///< accesses, one a lane

    Tally& operator+=(const Tally&);
    /// Counts what was counted since `before` another `times` times.
    void repeat_since(const Tally& before, std::uint64_t times);
};

struct Executions {
    std::uint64_t warps = 0, lanes = 0;
};
/// How often each instruction was executed.
std::vector<Executions> executions(const Image&, const std::vector<Tally>&);

Counts counts_of(const Image&, const std::vector<Tally>&);
/// By file and line of the student's own source.
std::vector<LineCounts> lines_of(const Image&, const std::vector<Tally>&);

}  // namespace vgpu
