// Words where two accesses may have raced: the launch runs again, and a HappensBeforeChecker
// decides.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "memory/region.h"
#include "vgpu/device.h"

namespace vgpu {

struct Suspect {
    Space space{};
    std::uint64_t block = 0;  ///< shared memory: whose
    Address word = 0;         ///< global memory: its address; shared: its offset
    friend auto operator<=>(const Suspect&, const Suspect&) = default;
};

/// Warps of a launch: the number of the block, and that of the warp in it.
using WarpNumbers = std::set<std::pair<std::uint64_t, std::uint32_t>>;

class Suspects {
public:
    /// `instructions`: memory instructions of the kernel.
    explicit Suspects(std::size_t instructions) : of_instruction_(instructions) {}

    /// Few an instruction, so that none crowds out the others. `block`: the number of the one that
    /// accesses the region.
    void add(std::uint32_t instruction, std::uint64_t block, const Region&, std::uint64_t offset);
    /// Whether anything was suspicious.
    bool any() const { return any_; }
    const std::vector<Suspect>& words() const { return words_; }

private:
    std::vector<std::uint16_t> of_instruction_;
    std::vector<Suspect> words_;
    bool any_ = false;
};

}  // namespace vgpu
