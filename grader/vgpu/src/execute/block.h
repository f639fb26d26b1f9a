// A block that runs: its warps, its memory, its barriers, and what the race check and the profile
// keep of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/region.h"
#include "profile/l1_sample.h"
#include "race/read_shared_rows.h"
#include "state/warp.h"

namespace vgpu {

/// The local memory of a block's threads, one stretch a thread.
struct LocalMemory {
    std::vector<std::byte> data;
    std::vector<std::uint64_t> written;
    Region all;  ///< both of them; offsets in it are a thread's number times stride, and so on
    std::uint32_t bytes_a_thread = 0;
    std::uint32_t stride = 0;  ///< from one thread's bytes to the next one's; keeps them aligned
};

/// Those that PTX numbers, and the one that the blocks of a cluster meet at (each is alone in its).
inline constexpr unsigned kNumberedBarriers = 16, kClusterBarrier = 16, kBarriers = 17;

struct Block {
    Dim3 index;
    std::uint64_t number = 0;  ///< in the grid's order, x fastest
    std::uint32_t threads = 0;
    Region shared;
    LocalMemory local;
    std::uint64_t kept_bytes = 0;  ///< registers that recursive calls keep aside, of all warps
    std::vector<Warp> warps;
    std::array<std::uint32_t, kBarriers>
        expected{};  ///< of each barrier: threads it waits for; 0: all
    std::array<std::uint32_t, kBarriers> passed{};  ///< and threads that came and did not wait

    ReadSharedRows read_shared_rows;
    std::uint64_t visit_bit = 0;  ///< the part of the launch that it belongs to (l2_reuse.h)
    bool is_l1_sample = false;    ///< its accesses are looked at, by this:
    L1Sample l1_sample;
    std::uint32_t owner = 0;    ///< what stands for this block in shadow words; never 0
    std::uint32_t ordered = 0;  ///< the warps' clocks at the last barrier of all threads

    std::uint32_t live_threads() const {
        std::uint32_t count = 0;
        for (const Warp& warp : warps) count += lane_count(warp.live);
        return count;
    }
    /// Whether a barrier at which `arrived` threads met orders all of the block. One with a count
    /// of its own opens without those that have ended, whose accesses it does not order.
    bool orders_all(unsigned barrier, std::uint32_t arrived) const {
        return arrived == (expected[barrier] == 0 ? live_threads() : threads);
    }
};

}  // namespace vgpu
