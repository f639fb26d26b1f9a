// A warp and its paths.
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

#include "state/code.h"

namespace vgpu {

struct Execution;
struct Block;
struct Region;

/// Frees registers that a call kept aside, which their block counts.
struct GiveBack {
    std::uint64_t* kept_bytes = nullptr;
    std::uint64_t bytes = 0;
    void operator()(std::byte* registers) const {
        *kept_bytes -= bytes;
        delete[] registers;
    }
};

/// How long a warp has been reading the clock in a loop (clock_wait.h).
struct ClockWait {
    std::uint64_t since = 0;   ///< the clock when it was read last before the loop
    std::uint64_t jumped = 0;  ///< Execution::waited, the last time it was read
    std::uint32_t looks = 0;   ///< reads in the loop
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

/// Calls visit(path) for the leaves that do not wait, the last one first.
template <class Visit>
void each_running(const std::vector<Path>& paths, Visit visit) {
    Mask later = 0;
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
        if (!path->waits() && (path->mask & later) == 0) visit(*path);
        later |= path->mask;
    }
}

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

}  // namespace vgpu
