// Detects that a launch can never end: its threads run in loops for something that no thread is
// left to do. A flag that is never set, a grid.sync() that a block never reaches, a loop whose
// condition never changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "execute/block_runner.h"

// That is certain, not a guess. Two moments are compared in which each thread is at the same place.
// If every thread has stayed in its loop between them, if the registers that decide whether the
// loop goes on (decode/loop_slice.h) are as they were, and if nobody has changed memory, then the
// same repeats for ever. A loop whose condition reads no memory needs nobody else for that.
//
// Memory that the host shares may still change, by another of the host's threads. But the one that
// has launched the kernel goes on only when the kernel has ended. So a kernel that has only read
// such memory for a long time is given up.

namespace vgpu {

class LivelockDetector {
public:
    explicit LivelockDetector(const Execution& execution) : execution_(execution) {}

    /// Some block got on in the latest round.
    void moved();
    /// All only ran in circles. Whether it is time to look at them.
    bool spun() { return ++rounds_ >= look_at_ || watched_since_; }

    enum class Verdict : std::uint8_t {
        goes_on,
        endless,         ///< a loop that waits for nobody
        livelock,        ///< threads that wait for each other
        waits_for_host,  ///< for what the host could write if it went on
    };
    /// Of all blocks that there are. `others_may_start`: blocks that these may wait for.
    Verdict look(std::span<BlockRunner* const> blocks, bool others_may_start);

private:
    struct Moment {
        std::vector<const Image::Loop*> loops;  ///< that threads are in; empty: some are in none
        std::uint64_t state = 0;      ///< of threads: their places, and registers that matter
        std::uint64_t elsewhere = 0;  ///< warp instructions so far outside of `loops`
        std::uint64_t changes = 0;    ///< of memory so far
        std::uint64_t reads = 0;      ///< of memory so far
        std::uint64_t clocks = 0;     ///< reads of a clock so far that may decide
        bool may_read = false;        ///< what is in memory may decide
    };
    Moment moment(std::span<BlockRunner* const> blocks) const;
    Verdict compare(const Moment& now, bool others_may_start) const;
    bool waits_for_host(const Moment& now, std::span<BlockRunner* const> blocks);

    const Execution& execution_;
    std::uint64_t rounds_ = 0;            ///< since one got on
    std::uint64_t look_at_ = kFirstLook;  ///< when to remember the next moment
    std::optional<Moment> before_;
    /// Since when the kernel is watched only now and then, as it waits for the host.
    std::optional<std::chrono::steady_clock::time_point> watched_since_;
    static constexpr std::uint64_t kFirstLook = 2;
};

}  // namespace vgpu
