// A lower bound for the time of a call: its arrays must cross between the GPU's memory and its
// caches, and no program gets more than the peak bandwidth.
#pragma once

#include <cstdint>

#include "check/call/marshal.h"
#include "protocol/messages.h"

// The bound is low on purpose: it must never accuse an honest program. It assumes the theoretical
// peak. Host memory, scratch memory and padding do not count; memory that is read and written
// counts once. The L2 cache may still hold its size in data not yet written back. A contract does
// not describe a call's arithmetic, so operations are not counted.

namespace lab {

/// Bytes of device memory that the call reads and writes, caches cold.
std::uint64_t bytes_to_move(const Marshalled& call);

/// The least time of a call that moves `bytes`; 0: not known.
double least_ms(std::uint64_t bytes, const DeviceFacts& device);

}  // namespace lab
