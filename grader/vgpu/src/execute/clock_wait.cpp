#include "execute/clock_wait.h"

#include <algorithm>

#include "execute/execution.h"

namespace vgpu {
namespace {

// All chosen. The clock is late by 1/64 of what a program waits for.
constexpr std::uint32_t kLooksBefore = 64;
constexpr std::uint64_t kShare = 64;

}  // namespace

std::uint64_t clock_of(const Warp& warp) {
    return warp.execution->executed + warp.execution->waited;
}

void note_clock_read(Warp& warp) {
    warp.wait = {clock_of(warp), warp.execution->waited, 0};
}

void pass_time(Warp& warp) {
    ClockWait& wait = warp.wait;
    std::uint64_t& waited = warp.execution->waited;
    const bool is_first_since_jump = wait.jumped != waited;
    wait.jumped = waited;
    if (++wait.looks <= kLooksBefore || is_first_since_jump) return;
    wait.jumped = waited += (clock_of(warp) - wait.since) / kShare;
}

}  // namespace vgpu
