// Shortens loops that read a clock until enough time has passed, which programs use in place of
// long work, or to let others go first.
#pragma once

#include <cstdint>

// The clock moves on by one a warp instruction. Waiting for a billion of them would take seconds.
// So where a warp reads the clock in a loop that does nothing else, the clock runs ahead: by a
// share of the time since the warp began to wait, so that it ends late by that share at most. After
// each jump all other warps get a turn before the next one; a warp that is slightly late would have
// been late on a GPU, too. (Debug builds call a function to read the clock: that is not
// recognised.)

namespace vgpu {

struct Warp;

/// The clock, as all warps of a launch see it.
std::uint64_t clock_of(const Warp&);
/// A look outside such a loop: waiting, if any, begins now.
void note_clock_read(Warp&);
/// A look in such a loop.
void pass_time(Warp&);

}  // namespace vgpu
