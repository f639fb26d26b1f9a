// Finds the memory that a loop polls: the flag that it waits for.
//
// On a GPU the host goes on while a kernel runs. Here a launch does not return until its kernel has
// ended, so that what the host does after the launch comes too late for it.
#pragma once

#include <optional>

#include "execute/execution.h"

namespace vgpu {

struct PolledMemory {
    std::optional<Allocation> flag;     ///< the first that is the program's own
    std::optional<Allocation> of_host;  ///< the first that the host can write, too
};

/// What a loop around `pc`, where the lane still is, reads with volatile or atomic operations.
PolledMemory polled_memory(const Warp&, std::uint32_t pc, unsigned lane);

}  // namespace vgpu
