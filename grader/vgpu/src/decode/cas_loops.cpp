#include "decode/cas_loops.h"

#include "decode/loops.h"

namespace vgpu {
namespace {

bool is_swap(const Image& image, const Insn& insn) {
    return insn.kind == Kind::atomic && image.instructions[insn.pc]->has("cas");
}

}  // namespace

std::optional<cause::FailingSwap> failing_cas(const Image& image, const Warp& warp,
                                              std::uint32_t pc, unsigned lane) {
    const Insn* const loop = loop_around(image, pc);
    if (!loop) return std::nullopt;
    const Insn* swap = nullptr;
    for (std::uint32_t at = loop->target; at < loop->pc; ++at) {
        if (!is_swap(image, image.code[at])) continue;
        if (swap) return std::nullopt;
        swap = &image.code[at];
    }
    if (!swap) return std::nullopt;
    const bool is_wide = image.instructions[swap->pc]->has("b64");
    const auto bits = [&](unsigned operand) {
        return is_wide ? warp.lanes<std::uint64_t>(swap->operand[operand])[lane]
                       : std::uint64_t{warp.lanes<std::uint32_t>(swap->operand[operand])[lane]};
    };
    if (image.instructions[swap->pc]->has("b16") || bits(0) == bits(2)) return std::nullopt;
    return cause::FailingSwap{bits(2), bits(0)};
}

bool tries_swaps(const Image& image) {
    for (const Insn& insn : image.code)
        if (is_swap(image, insn) && loop_around(image, insn.pc)) return true;
    return false;
}

}  // namespace vgpu
