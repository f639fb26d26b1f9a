#include "vgpu/machine/swaps.h"

#include <fmt/format.h>

#include "vgpu/machine/loops.h"

namespace vgpu {
namespace {

bool is_swap(const Image& image, const Insn& insn) {
    return insn.kind == Kind::atomic && image.instructions[insn.pc]->has("cas");
}

/// As programs write them: small ones are counts and flags, others the bits of something.
std::string number(std::uint64_t bits) {
    constexpr std::uint64_t kSmall = 10'000;
    return bits < kSmall ? fmt::format("{}", bits) : fmt::format("{:#x}", bits);
}

}  // namespace

std::string failing_swap(const Warp& warp, std::uint32_t pc, unsigned lane) {
    const Image& image = warp.execution->image;
    const Insn* const loop = loop_around(image, pc);
    if (!loop) return "";
    const Insn* swap = nullptr;
    for (std::uint32_t at = loop->target; at < loop->pc; ++at) {
        if (!is_swap(image, image.code[at])) continue;
        if (swap) return "";
        swap = &image.code[at];
    }
    if (!swap) return "";
    const bool is_wide = image.instructions[swap->pc]->has("b64");
    const auto bits = [&](unsigned operand) {
        return is_wide ? warp.lanes<std::uint64_t>(swap->operand[operand])[lane]
                       : std::uint64_t{warp.lanes<std::uint32_t>(swap->operand[operand])[lane]};
    };
    if (image.instructions[swap->pc]->has("b16") || bits(0) == bits(2)) return "";
    return fmt::format("; its atomicCAS stores only where it finds {}, and finds {}",
                       number(bits(2)), number(bits(0)));
}

bool tries_swaps(const Image& image) {
    for (const Insn& insn : image.code)
        if (is_swap(image, insn) && loop_around(image, insn.pc)) return true;
    return false;
}

}  // namespace vgpu
