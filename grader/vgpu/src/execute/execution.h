// The state of one launch: shared by its blocks, with the findings so far.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "execute/spin_loop_skipper.h"
#include "memory/device_memory.h"
#include "profile/hot_addresses.h"
#include "profile/tally.h"
#include "state/code.h"
#include "state/findings.h"
#include "state/warp.h"
#include "vgpu/device.h"

namespace vgpu {

class Undo;
class HappensBeforeChecker;

/// A word where two accesses may have raced.
struct Suspect {
    Space space{};
    std::uint64_t block = 0;  ///< shared memory: whose
    Address word = 0;         ///< global memory: its address; shared: its offset
    friend auto operator<=>(const Suspect&, const Suspect&) = default;
};

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
    bool is_traced = false;                                ///< Launch::trace is to be told
    std::uint64_t executed = 0;                            ///< warp instructions
    std::uint64_t limit = 0;                               ///< of them
    std::uint64_t blocks_at_once = 1, blocks_to_come = 0;  ///< of a launch whose blocks wait
    std::uint64_t waited = 0;  ///< what the clock is ahead of them (clock_wait.h)
    SpinLoopSkipper spin_loops;
    std::string printed;
    Outcome outcome = Outcome::ok;
    Region parameters;
    Address grid_workspace = 0;      ///< of a cooperative launch: the words behind grid.sync()
    std::vector<Region*> memo;       ///< one an Insn
    const Block* running = nullptr;  ///< whose shared memory `memo` may hold
    /// One an Insn, once somebody asks: from_toolkit().
    std::vector<std::optional<bool>> toolkit;

    std::vector<ConvergedFrom>
        converged_elsewhere;  ///< to the meeting that is executed; nearly always empty

    std::vector<Pattern> patterns;  ///< one a memory instruction: the accesses that it made last

    // How accesses are checked for races: by shadow words, or, when `checker` is there, by it.
    std::uint32_t run = 0;        ///< the number of this run of the launch
    DeviceMemory::Owners owners;  ///< of its blocks
    Undo* undo = nullptr;
    bool is_parallel = false;  ///< other workers run blocks of the same launch now
    std::vector<Suspect> suspects;
    bool saw_conflict = false;
    HappensBeforeChecker* checker = nullptr;

    Execution(const Image&, const Launch&, DeviceMemory&, const Options&);

    /// Whether all pages of a region are ready, for writing if `writes`.
    bool is_open(const Region& region, bool writes) const {
        return region.open.run == run &&
               (writes ? region.open.saved : region.open.touched) == pages_of(region);
    }
    /// Whether all of them were found written, every byte.
    bool is_whole(const Region& region) const {
        return region.open.run == run && region.open.whole == pages_of(region);
    }
};

/// Where a warp stands for the race check.
AccessEpoch epoch_of(const Warp&, const Region&);
/// Remembers that two accesses to a word may race; few an instruction, so that none crowds out the
/// others.
void suspect(Warp&, const Insn&, const Region&, std::uint64_t offset);
/// Makes a page ready for the launch's first access, or first write.
void open_page(Execution&, Region&, std::uint64_t page, bool writes);

/// The thread in `lane` of a warp.
Dim3 thread_of(const Warp&, unsigned lane);
/// Whether a file is the student's own, as far as its name tells: the kernel's, or one beside it.
bool is_own(const Image&, std::string_view file);
/// The innermost of the frames inlined at `pc` that lies in a file of the student's, if one does.
std::optional<SourceLine> own_line(const Image&, std::uint32_t pc);
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
