#include "decode/loops.h"

namespace vgpu {

const Insn* loop_around(const Image& image, std::uint32_t pc) {
    const Insn* closest = nullptr;
    for (const Insn& insn : image.code) {
        const bool goes_around = insn.kind == Kind::branch && insn.target <= pc && pc <= insn.pc &&
                                 image.instructions[insn.pc]->opcode == "bra";
        if (goes_around && (!closest || insn.pc - insn.target < closest->pc - closest->target))
            closest = &insn;
    }
    return closest;
}

const Image::Loop* longest_loop(const Image& image, std::uint32_t pc) {
    const Image::Loop* longest = nullptr;
    for (const Image::Loop& loop : image.loops) {
        const bool is_around = loop.begin <= pc && pc < loop.end;
        if (is_around && (!longest || loop.end - loop.begin > longest->end - longest->begin))
            longest = &loop;
    }
    return longest;
}

}  // namespace vgpu
