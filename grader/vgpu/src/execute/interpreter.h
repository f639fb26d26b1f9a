// Runs a launch: blocks in order, a block's warps in turn, a warp until it must wait.
//
//     interpreter   a warp's instructions: run_warp() is the inner loop
//     block_runner  a block's warps
//     schedule      a grid's blocks: in order, all resident, or side by side on several cores
//     attempt       the same launch once more, when it was not sure what happened
#pragma once

#include "execute/execution.h"

namespace vgpu {

/// Runs a warp until it ends (next), all of its lanes wait, it yields, or the launch has to stop.
Flow run_warp(Warp&);
/// The same, and yields after each volatile, relaxed or acquiring load.
Flow run_interleaved(Warp&);
/// The same as run_warp, and tells each instruction to Launch::trace.
Flow run_traced(Warp&);
/// The same as whichever of the first two the seed asks for, and tells Execution::recorder.
Flow run_recorded(Warp&);
/// The same as whichever of the first two the seed asks for, through Execution::unset.
Flow run_followed(Warp&);

}  // namespace vgpu
