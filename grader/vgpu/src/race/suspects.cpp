#include "race/suspects.h"

namespace vgpu {

void Suspects::add(std::uint32_t instruction, std::uint64_t block, const Region& region,
                   std::uint64_t offset) {
    constexpr std::uint16_t kOfAnInstruction = 64;
    any_ = true;
    if (of_instruction_[instruction] == kOfAnInstruction) return;
    ++of_instruction_[instruction];
    const std::uint64_t word = offset / 4 * 4;
    if (region.space == Space::shared)
        words_.push_back({Space::shared, block, word});
    else
        words_.push_back({Space::global, 0, region.base + word});
}

}  // namespace vgpu
