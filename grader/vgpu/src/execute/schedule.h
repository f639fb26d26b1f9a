// Runs the blocks of a launch: one after the other, with more of them at once where they wait for
// each other, or in parallel on several cores.
#pragma once

#include <memory>
#include <span>

#include "execute/execution.h"
#include "execute/workers.h"

namespace vgpu {

/// Blocks in order, or in the seed's order; cooperative launches have all of them resident.
void run_in_order(Execution&);

/// Blocks in any order, an execution for each worker. False when the launch's result may depend on
/// how they ran: it is to be undone, and run in order.
bool run_in_parallel(Workers&, std::span<const std::unique_ptr<Execution>>);

/// Blocks of the launch's grid.
std::uint64_t block_count(const Launch&);

}  // namespace vgpu
