// Detects a grid that can never end, because every running thread waits in a loop for something
// that no thread is left to do: a grid.sync() that a block never reaches, a flag that is never set.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "execute/block_runner.h"

// That is certain, not a guess: all blocks are there and only run in circles, nothing was stored
// since an earlier moment, memory was read repeatedly, and every register is as it was then. From
// then on the same repeats for ever, since only kernels can change the memory that they touch. (A
// loop that reads no memory is not a wait but endless, and a single block waits for nobody: the
// limit of instructions ends those.)

namespace vgpu {

class LivelockDetector {
public:
    explicit LivelockDetector(const Execution& execution) : execution_(execution) {}

    /// Some block got on in the latest round.
    void moved() { rounds_ = 0; }
    /// All only ran in circles in the latest round, and none is still to come.
    bool is_livelock(std::span<const std::unique_ptr<BlockRunner>> residents);

private:
    /// Accesses so far of the instructions that `counts` names.
    template <class Counts>
    std::uint64_t accesses(Counts counts) const;

    const Execution& execution_;
    std::uint64_t rounds_ = 0;                          ///< since one got on
    std::uint64_t look_at_ = kFirstLook;                ///< when to remember the state next
    std::uint64_t state_ = 0, stores_ = 0, looks_ = 0;  ///< as they were then
    static constexpr std::uint64_t kFirstLook = 4;
};

}  // namespace vgpu
