// What a launch did, in numbers: exact for the PTX executed.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "vgpu/finding.h"

namespace vgpu {

/// What a launch did, exact for the PTX executed. to_json names each as Nsight Compute does
/// (src/counts/counts.cpp has the names and says which have none). A request is one warp's access.
struct Counts {
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    std::uint64_t alu = 0, fma = 0, fp16 = 0, fp64 = 0, xu = 0, tensor = 0, lsu = 0, adu = 0,
                  cbu = 0;  ///< warp instructions by pipe
    /// Additions, multiplications and fused multiply-adds of floats and of doubles, one a lane.
    std::uint64_t fadd = 0, fmul = 0, ffma = 0, dadd = 0, dmul = 0, dfma = 0;
    std::uint64_t branches = 0, branch_targets = 0, divergent_branches = 0, barriers = 0;

    std::uint64_t global_load_requests = 0, global_load_sectors = 0, global_load_bytes = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0, global_store_bytes = 0;
    std::uint64_t local_load_requests = 0, local_load_sectors = 0;
    std::uint64_t local_store_requests = 0, local_store_sectors = 0;

    /// Wavefronts are passes over the banks; those beyond what the bytes need are conflicts.
    std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_conflicts = 0;
    std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0,
                  shared_store_conflicts = 0;
    std::uint64_t shared_atomic_requests = 0, shared_atomic_wavefronts = 0,
                  shared_atomic_conflicts = 0;

    std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0;        ///< result used
    std::uint64_t global_reduction_requests = 0, global_reduction_sectors = 0;  ///< and not
    std::uint64_t global_atomics = 0, shared_atomics = 0;  ///< operations, one a lane

    /// Passes of global requests through the L1 cache: lines of 128 bytes, counted from the first
    /// lane's address on. At most as many as sectors.
    std::uint64_t global_load_passes = 0, global_store_passes = 0;
    /// Of the global loads' sectors, those that may not come from the L1 cache (volatile, ...).
    std::uint64_t uncached_load_sectors = 0;
    /// Of requests whose lanes are several pages of 4 KiB apart.
    std::uint64_t scattered_load_sectors = 0, scattered_store_sectors = 0;
    /// Warp instructions that ptxas makes operands of others, and how many of those are in `alu`.
    std::uint64_t folded = 0, folded_alu = 0;

    Counts& operator+=(const Counts&);
};
std::string to_json(const Counts&);

/// The place in global memory that atomics hit most, and how many operations did.
struct HotAddress {
    Address address = 0;
    std::uint64_t operations = 0;
    Allocation allocation{};  ///< that it lies in
    /// Of all operations, what the 512 bytes that are visited most see one after the other. Integer
    /// operations of a warp at one address are joined into one before; those of a request that
    /// differ in their addresses visit each sector once, and again where they meet.
    std::uint64_t visits = 0;
    bool of_floats = false;  ///< the latest operation was one of floats, which take longer
};

/// How often a launch comes back to the same 64 bytes of global memory, of one page in 16, and how
/// much later: gaps[k] counts visits 2^k to 2^(k+1) - 1 sixty-fourths of the launch after the one
/// before. Visits within one sixty-fourth count once.
struct Revisits {
    using Gaps = std::array<std::uint64_t, 6>;
    std::uint64_t pieces = 0, loaded = 0, stored = 0;  ///< touched, loaded, stored at all
    Gaps loaded_again{}, stored_again{};
};

/// How often a few blocks' loads touched a line of global memory: for the first time in their
/// block, and again. again[k]: after touching 2^(k-1) to 2^k - 1 other lines (0: none).
struct L1Reuse {
    std::uint64_t first = 0;
    std::array<std::uint64_t, 14> again{};
};

/// What a warp waits for between two of its instructions, by Nsight Compute's names.
enum class WarpState : std::uint8_t {
    selected,          ///< nothing: it issues
    wait,              ///< the result of arithmetic
    long_scoreboard,   ///< global or local memory
    short_scoreboard,  ///< shared memory, functions, shuffles
    imc_miss,          ///< parameters and constants
    branch_resolving,
    barrier,  ///< the barrier's own cycles; not those of warps that come later
};
inline constexpr std::size_t kWarpStates = 7;

/// Cycles of a warp alone, added up over warps, by what it waits for: modelled (src/profile/
/// latency.h). far: global loads come from memory, near: from the L1 cache.
struct StateCycles {
    double far = 0, near = 0;
};
using WarpStates = std::array<StateCycles, kWarpStates>;

/// What a line of source did; instructions inlined into it from headers included.
struct LineCounts {
    SourceLine where;
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    std::uint64_t global_requests = 0, global_sectors = 0;
    std::uint64_t shared_requests = 0, shared_wavefronts = 0;
    std::uint64_t local_sectors = 0;
    std::uint64_t branches = 0, divergent_branches = 0;

    LineCounts& operator+=(const LineCounts&);
};

}  // namespace vgpu
