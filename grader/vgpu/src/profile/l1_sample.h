// Samples how often a few blocks of a launch return to a line of 128 bytes, and after how many
// other lines: whether the L1 cache still has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vgpu/device.h"

// A sampled block keeps the lines that its warps touch, up to a limit. At its end they are sorted
// as warps in parallel take them (the first request of each, then the second, ...), and each is
// looked for among those before it.

namespace vgpu {

/// Whether block `number` of `count` is looked at: one in 256, up to four or so. It takes long, so
/// none of a small grid is.
inline bool is_l1_sample(std::uint64_t number, std::uint64_t count) {
    constexpr std::uint64_t kBlocks = 4, kStep = 256;
    const std::uint64_t step = count < kBlocks * kStep ? kStep : count / kBlocks;
    return number % step == step / 2;
}

class L1Sample {
public:
    void begin_block(std::size_t warps) {
        touches_.clear();
        warps_.assign(warps, {});
    }
    /// A warp's next request begins.
    void begin_request(std::uint32_t warp) { ++warps_[warp].requests; }
    void add(std::uint32_t warp, Address at, bool writes) {
        Seen& seen = warps_[warp];
        if (seen.touches == kMost / warps_.size()) return;
        ++seen.touches;
        touches_.push_back({seen.requests, warp, at / 128, writes});
    }
    void end_block(L1Reuse&);

private:
    /// Of a block, the same for each warp. Chosen: a fraction of a millisecond to look at.
    static constexpr std::size_t kMost = 2048;

    struct Touch {
        std::uint32_t request, warp;
        Address line;
        bool writes;
    };
    std::vector<Touch> touches_;
    struct Seen {
        std::uint32_t requests = 0, touches = 0;
    };
    std::vector<Seen> warps_;
};

}  // namespace vgpu
