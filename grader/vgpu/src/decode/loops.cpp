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

}  // namespace vgpu
