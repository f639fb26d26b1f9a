// Barriers of a block (bar.sync) and of a warp (bar.warp.sync, and what else makes lanes meet).
//
// A path that arrives waits; between the turns of its warps the block looks whether a barrier is
// complete. Threads that left the kernel are not waited for, as on a GPU, but a barrier that some
// threads of the block never reach is reported: CUDA leaves undefined what happens then.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "state/warp.h"

namespace vgpu {

/// What bar.sync and bar.red leave in Insn::option. Operands: [0] which barrier, [1] how many
/// threads, [2] the reduction's result, [3] the predicate that it reduces (Insn::immediate:
/// flipped).
inline constexpr std::uint8_t kAllThreads = 1;  ///< operand [1] is absent
inline constexpr std::uint8_t kReducePopc = 2, kReduceAnd = 4, kReduceOr = 8;
inline constexpr std::uint8_t kPassOn = 32;  ///< bar.arrive: arrives, and does not wait
/// What bar.warp.sync leaves there: lanes may meet at different ones.
inline constexpr std::uint8_t kSyncAnywhere = 16;
/// A bit of what shuffles, votes and their like leave there: lanes with the same mask may meet at
/// different ones that do the same, as PTX has it.
inline constexpr std::uint8_t kExchangeAnywhere = 64;

/// The running path's active lanes wait at a barrier of the block; the others go on.
void arrive(Warp&, Mask active, unsigned barrier, std::uint32_t threads);
/// The same without waiting: they count as arrived, and go on.
void pass(Warp&, Mask active, unsigned barrier, std::uint32_t threads);
/// Lets go the waiting threads of complete barriers; whether there were any.
bool open_barriers(Block&);
/// Makes lanes meet at the running path's instruction, `insn`, or at others where its option lets
/// them. Returns all lanes that now execute it together, or 0 when the path has to wait for the
/// others. `masks`: which operand says of each lane whom it wants to meet. What lanes that came by
/// other instructions brought is found through Execution::converged_elsewhere.
Mask converge(Warp&, const Insn& insn, Mask active, std::size_t masks);
/// Lets lanes go on behind a branch before all of it is over, where lanes in the branch wait for
/// them (a shuffle whose mask names all, in an `if`): they may come to another shuffle, or leave
/// the kernel. Whether there were any.
bool release_awaited(Block&);
/// For the race check: the lanes of `here` execute an instruction that has all of them wait for
/// each other, and do so already.
void note_warp_sync(Warp&, Mask here);
/// Calls group(lanes, mask) for the lanes of `here` that want to meet the same others: tiles of a
/// warp meet each among themselves, in one instruction.
template <class Group>
void each_group(Mask here, const Mask* masks, Group group) {
    for (Mask rest = here; rest != 0;) {
        const Mask mask = masks[__builtin_ctz(rest)];
        Mask lanes = 0;
        for (Mask others = rest; others != 0; others &= others - 1)
            if (const int lane = __builtin_ctz(others); masks[lane] == mask)
                lanes |= Mask{1} << lane;
        group(lanes, mask);
        rest &= ~lanes;
    }
}

/// Lets a path go on that waited for lanes which have left the kernel since; whether there was one.
bool retry_warp_syncs(Warp&);

}  // namespace vgpu
