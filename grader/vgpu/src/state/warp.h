// A warp, its paths, and the block it belongs to.
//
// Lanes that took different branches are different paths of their warp. `Warp::paths` holds them
// like a stack: when the last path splits at a branch it becomes the place where its parts meet
// again, and the parts are put on top. A path whose pc reaches its `reconvergence` is dropped,
// which uncovers the path it came from.
//
//     paths[0] {pc 20, all lanes}              waits for the two above to arrive at 20
//     paths[1] {pc 14, lanes 16-31, meet 20}
//     paths[2] {pc  7, lanes  0-15, meet 20}   runs
//
// A path is a leaf when no later one has lanes in common with it. Only leaves run; any leaf may be
// moved to the end (run_another), which is how a path that waits for its siblings lets them go on.
// Lanes that wait at the meeting point while others spin become a path of their own
// (release_early), and one with the others again at the next barrier (merge_equal).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "execute/clock_wait.h"
#include "memory/region.h"
#include "profile/l1_sample.h"
#include "state/code.h"

namespace vgpu {

struct Execution;
struct Block;

/// Frees registers that a call kept aside, which their block counts.
struct GiveBack {
    std::uint64_t* kept_bytes = nullptr;
    std::uint64_t bytes = 0;
    void operator()(std::byte* registers) const {
        *kept_bytes -= bytes;
        delete[] registers;
    }
};

struct Path {
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = kNever;
    Mask mask = 0;
    std::uint32_t depth = 0;    ///< calls it is inside of
    std::int16_t barrier = -1;  ///< waits at this barrier of the block
    Mask sync_lanes = 0;        ///< waits for these lanes of the warp (bar.warp.sync, shfl.sync)
    std::unique_ptr<std::byte[], GiveBack> saved{};  ///< to restore after a recursive call

    bool waits() const { return barrier >= 0 || sync_lanes != 0; }
};

struct Warp {
    std::byte* registers = nullptr;
    Region** memo = nullptr;  ///< for each pc, the region that it accessed last
    Execution* execution = nullptr;
    Block* block = nullptr;
    std::uint32_t index = 0;  ///< in its block
    Mask live = 0;            ///< lanes that have not left the kernel
    std::uint32_t now = 0;    ///< its clock for the race check: see shadow_word.h
    std::uint32_t met = 0;    ///< when all of its lanes met last
    std::uint32_t backward_branches = 0;
    ClockWait wait{};  ///< for time to pass
    /// What its last request to global memory polled: one lane's load that may not use L1.
    Address polled = 0;
    std::vector<Path> paths;

    [[gnu::always_inline]] Mask& predicate(std::uint32_t offset) const {
        return *reinterpret_cast<Mask*>(registers + offset);
    }
    template <class T>
    [[gnu::always_inline]] T* lanes(std::uint32_t offset) const {
        return reinterpret_cast<T*>(__builtin_assume_aligned(registers + offset, 64));
    }
};

/// Chooses a leaf that does not wait and moves it to the end; false when all of them wait.
bool run_another(std::vector<Path>&);
/// Lets lanes go on that wait where others are to meet them, for those others may wait for them:
/// where one of `lanes` does. Whether there were any.
bool release_early(std::vector<Path>&, Mask lanes = kAllLanes);
/// Whether none of them can go on by itself.
bool all_wait(const std::vector<Path>&);
/// Makes one path of those that came to the same place by different ways.
void merge_equal(std::vector<Path>&);
/// Takes lanes out of the paths from `first_depth` calls inwards, dropping those left empty.
void remove_lanes(std::vector<Path>&, Mask lanes, std::uint32_t first_depth);
/// Splits the last path into parts that meet again at `reconvergence`. The last part runs first.
struct Part {
    std::uint32_t pc = 0;
    Mask lanes = 0;
};
void split(Warp&, std::span<const Part>, std::uint32_t reconvergence);

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

/// One word a lane.
inline constexpr std::uint64_t kRowBytes = 4 * kWarpSize;

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

    /// Of each row of shared memory (kRowBytes): when all of its words were found settled
    /// (read_shared_now); 0 since they were written.
    std::vector<ShadowWord> read_shared_rows;
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
    /// Whether a barrier where so many threads meet orders all of the block. One that is told how
    /// many to wait for opens without those that have ended, whose accesses it does not order.
    bool orders_all(unsigned barrier, std::uint32_t arrived) const {
        return arrived == (expected[barrier] == 0 ? live_threads() : threads);
    }
};

/// The distances between the lanes of an access, and what follows from them: the same for an
/// instruction's accesses most of the time, so it is kept.
struct Pattern {
    alignas(64) std::uint32_t distance[kWarpSize];  ///< from the first active lane, in bytes
    Mask active = 0;                                ///< 0: nothing kept
    std::uint32_t cost = 0;                         ///< wavefronts or sectors
    std::uint32_t passes = 0;                       ///< wavefronts, or passes through the L1 cache
    Mask shared = 0;                                ///< lanes whose word another lane accesses, too
    Space space{};                                  ///< a generic address may be of any
    std::uint16_t suspects = 0;
};

}  // namespace vgpu
