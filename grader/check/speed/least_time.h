// A lower bound for the time of a call: its arrays must cross between the GPU's memory and its
// caches, and no program gets more than the peak bandwidth.
#pragma once

#include <cstdint>

#include "check/call/marshal.h"
#include "protocol/messages.h"

// The bound is low on purpose, so that nobody is suspected wrongly. It takes the theoretical peak.
// Host memory, scratch memory and padding do not count; memory that is read and written counts
// once. As much as the L2 cache holds may still lie there, not yet written back. A contract does
// not give a call's arithmetic: operations are not counted.

namespace lab {

/// Of the device memory that the call reads and writes, caches cold.
std::uint64_t bytes_to_move(const Marshalled& call);

/// No call that moves so many bytes takes less; 0: not known.
double least_ms(std::uint64_t bytes, const DeviceFacts& device);

}  // namespace lab
