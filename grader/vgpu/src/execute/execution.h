// The state of one launch: shared by its blocks, with the findings so far.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "execute/keep_last.h"
#include "execute/spin_loop_skipper.h"
#include "memory/device_memory.h"
#include "memory/launch_pages.h"
#include "profile/access_pattern.h"
#include "profile/hot_addresses.h"
#include "profile/tally.h"
#include "race/suspects.h"
#include "state/code.h"
#include "state/findings.h"
#include "state/source_lines.h"
#include "state/warp.h"
#include "vgpu/device.h"

namespace vgpu {

class HappensBeforeChecker;
class Recorder;
class UnsetValues;

/// Lanes that came to a meeting by another instruction than the one that is executed.
struct ConvergedFrom {
    const Insn* insn = nullptr;
    Mask lanes = 0;
};

/// What a launch was seen to do by one worker; with several, each has its own.
struct Execution {
    const Image& image;
    const Launch& launch;
    DeviceMemory& memory;
    const Options& options;
    Findings findings;

    std::vector<Tally> tallies;  ///< one an Insn
    HotAddresses atomics;        ///< of global memory
    L1Reuse l1_reuse;
    HotAddresses uncached_loads;  ///< sectors that loads took from L2, for they may not use L1
    /// LaunchResult::warp_time and block_time.
    std::uint64_t warp_time = 0, block_time = 0;
    bool is_traced = false;            ///< Launch::trace is to be told
    std::uint64_t executed = 0;        ///< warp instructions
    std::uint64_t atomic_changes = 0;  ///< atomic operations that stored another value
    std::uint64_t limit = 0;           ///< of them
    std::uint64_t blocks_at_once = 1, blocks_to_come = 0;  ///< of a launch whose blocks wait
    std::vector<std::uint64_t> started;  ///< blocks, as they did, if Launch::want_writers
    std::uint64_t waited = 0;            ///< what the clock is ahead of them (clock_wait.h)
    SpinLoopSkipper spin_loops;
    KeepLast printed;
    Outcome outcome = Outcome::ok;
    /// Lanes with a bad access end, and all others go on: to see what they would have written.
    bool outlives_faults = false;
    WarpNumbers faulted;  ///< the warps of such lanes
    Region parameters;
    Address grid_workspace = 0;      ///< of a cooperative launch: the words behind grid.sync()
    std::vector<Region*> memo;       ///< one an Insn
    const Block* running = nullptr;  ///< whose shared memory `memo` may hold
    /// Of allocations that were read where nothing was written: the bytes that were, at that time.
    std::map<const Region*, std::uint64_t> written_bytes;
    /// One an Insn, once somebody asks: from_toolkit().
    std::vector<std::optional<bool>> toolkit;

    std::vector<ConvergedFrom>
        converged_elsewhere;  ///< to the meeting that is executed; nearly always empty

    std::vector<AccessPattern>
        patterns;  ///< one a memory instruction: the accesses that it made last

    // How accesses are checked for races: by shadow words, or, when `checker` is there, by it.
    LaunchPages pages;
    Suspects suspects;
    HappensBeforeChecker* checker = nullptr;
    UnsetValues* unset = nullptr;      ///< follows them, if there
    Recorder* recorder = nullptr;      ///< records what runs, if there
    bool ends_with_recording = false;  ///< once nothing more is recorded, nobody wants the rest

    /// Whether somebody is to be told of each access by itself.
    bool is_watched() const { return checker || recorder; }

    Execution(const Image&, const Launch&, DeviceMemory&, const Options&);
};

/// The thread in `lane` of a warp.
Dim3 thread_of(const Warp&, unsigned lane);
/// The line of the student's own source at `pc`: own_line(), of callers where a function's own
/// lines are all in headers from elsewhere.
SourceLine where_is(const Warp&, std::uint32_t pc);
/// Whether the instruction comes from the toolkit's own headers (CUB, Thrust, libcu++), as far as
/// line information tells.
bool from_toolkit(const Warp&, std::uint32_t pc);
/// A finding with everything filled in that follows from who executes what.
Finding finding_at(const Warp&, const Insn&, Check, unsigned lane);
/// Adds a finding of `occurrences` accesses, made first by `lane`.
void report(const Warp&, Finding, unsigned lane);

}  // namespace vgpu
