// Barriers of a block (bar.sync) and of a warp (bar.warp.sync, and what else makes lanes meet).
//
// A path that arrives waits; between the turns of its warps the block looks whether a barrier is
// complete. Threads that left the kernel are not waited for, as on a GPU, but a barrier that some
// threads of the block never reach is reported: CUDA leaves undefined what happens then.
#pragma once

#include "vgpu/machine/warp.h"

namespace vgpu {

/// What bar.sync and bar.red leave in Insn::option. Operands: [0] which barrier, [1] how many
/// threads, [2] the reduction's result, [3] the predicate that it reduces (Insn::immediate:
/// flipped).
inline constexpr std::uint8_t kAllThreads = 1;  ///< operand [1] is absent
inline constexpr std::uint8_t kReducePopc = 2, kReduceAnd = 4, kReduceOr = 8;
inline constexpr std::uint8_t kPassOn = 32;  ///< bar.arrive: arrives, and does not wait
/// What bar.warp.sync leaves there: lanes may meet at different ones.
inline constexpr std::uint8_t kMeetAnywhere = 16;

/// The running path's active lanes wait at a barrier of the block; the others go on.
void arrive(Warp&, Mask active, unsigned barrier, std::uint32_t threads);
/// The same without waiting: they count as arrived, and go on.
void pass(Warp&, Mask active, unsigned barrier, std::uint32_t threads);
/// Lets go the waiting threads of complete barriers; whether there were any.
bool open_barriers(Block&);
/// Reports why the block can never go on.
void report_deadlock(Block&);

/// Makes the lanes in `members` meet at the running path's instruction, `insn`, or, if it is a
/// bar.warp.sync, at any of those. Returns all lanes that now execute it together, or 0 when the
/// path has to wait for the others.
Mask meet(Warp&, const Insn& insn, Mask active, Mask members);
/// Lets a path go on that waited for lanes which have left the kernel since; whether there was one.
bool retry_meetings(Warp&);

}  // namespace vgpu
