// Reports why a launch can never go on: where its threads are, and what they wait for. Sets
// Execution::outcome.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "state/warp.h"
#include "vgpu/finding.h"

namespace vgpu {

/// A path that was in a loop when the launch had used up its instructions; `is_certain`: or when it
/// was clear that it never ends.
void report_endless(const Warp&, const Path&, bool is_certain);
/// Of these blocks, some thread runs in a loop that waits for nothing and never ends.
void report_endless(std::span<Block* const> left);
/// Every thread of the block waits for others.
void report_deadlock(const Block&);
/// These blocks wait in loops, `ended` others have ended, and `to_come` start when one of these
/// ends.
void report_livelock(std::span<Block* const> left, std::uint64_t ended, std::uint64_t to_come);
/// These blocks wait in loops for what the host alone can write.
void report_wait_for_host(std::span<Block* const> left);

/// Where each warp of the block stands, by line; nothing where it is the only one.
std::vector<cause::Group> warp_positions(const Block&);

}  // namespace vgpu
