// Runs a block: its warps take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "execute/block.h"
#include "execute/execution.h"

namespace vgpu {

/// Room for one block's state; used for one block after the other.
class BlockRunner {
public:
    explicit BlockRunner(Execution&);
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    /// `number` in the grid's order, x fastest.
    void start(std::uint64_t number, std::uint32_t owner);

    enum class Turn : std::uint8_t {
        ended,
        went_on,  ///< warps ended or passed barriers
        spun,     ///< warps only ran in circles: they may wait for another block
        stop,     ///< the launch has to end
    };
    /// Lets each warp run until it waits or has run for a while.
    Turn turn();

    /// A number for the state of all threads: where they are, and their registers; `sliced`: those
    /// that decide whether the loops go on in which they run.
    std::uint64_t fingerprint(bool sliced) const;
    Block& block() { return block_; }

private:
    bool end_faulted(Warp&);
    struct AlignedDelete {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{256}); }
    };
    void fill_constants(Warp&) const;
    void permute_warps(std::uint64_t number);
    Flow run_for_a_while(Warp&);
    void meet();
    void add_times();
    void take_over();

    Execution& execution_;
    const Image& image_;
    Block block_;
    std::uint32_t stride_ = 0;
    std::uint32_t series_ = 0;  ///< of owners that the shadow words of shared memory are of
    std::unique_ptr<std::byte[], AlignedDelete> registers_;
    std::vector<std::byte> shared_;
    std::vector<std::uint64_t> shared_written_;
    std::vector<ShadowWord> shared_shadow_;
    std::vector<std::uint32_t> order_;  ///< in which warps take their turns
    std::vector<std::uint64_t> times_;  ///< of each warp, from the block's start
};

}  // namespace vgpu
