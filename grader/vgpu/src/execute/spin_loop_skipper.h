// Skips the rounds of a polling loop: one lane reads one place in memory until another block has
// changed it, as in grid.sync() or while waiting for a flag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/tally.h"
#include "state/code.h"

// While a warp has its turn no other runs, so it reads the same value until the turn ends. Once a
// round has left every register as the round before did, the rest of the turn's rounds are counted,
// not executed. Results, counts and the order of warps are those of a warp that executes them all.
//
//     polls 1 ... 16 | 17   18 |  19 ... 512: counted    then the other warps run
//                      kept  the same
//
// Executed round by round: loops with several loads, calls, stores, atomics or clocks, several
// lanes, other paths of the warp that could run, launches that are traced, and fences before a
// checker.

namespace vgpu {

struct Warp;

class SpinLoopSkipper {
public:
    /// A round of the loop that `branch` closes is over: remembers the state.
    void keep(const Warp&, const Insn& branch);
    /// The next round is over. If nothing has changed, counts `rounds` more like it; else returns
    /// false.
    bool skip(Warp&, const Insn& branch, std::uint32_t rounds);

private:
    const Warp* warp_ = nullptr;  ///< null: nothing is kept
    std::uint32_t pc_ = 0, branches_ = 0;
    std::size_t paths_ = 0;
    std::uint64_t executed_ = 0;
    std::vector<std::byte> registers_;
    std::vector<Tally> tallies_;  ///< of the loop's instructions
};

}  // namespace vgpu
