#include "decode/clock_loops.h"

#include <algorithm>

#include "state/code.h"

namespace vgpu {
namespace {

constexpr std::uint32_t kLongestLoop = 48;  // instructions; chosen

bool does_nothing_else(Kind kind) {
    return kind == Kind::plain || kind == Kind::branch || kind == Kind::pause;
}

bool waits_for_others(const ptx::Instruction& instruction) {
    return instruction.opcode == "mbarrier" || instruction.opcode == "cp";
}

}  // namespace

void find_clock_loops(Image& image, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t back = first; back < end; ++back) {
        const Insn& branch = image.code[back];
        if (branch.kind != Kind::branch || branch.target > back || branch.target < first ||
            back - branch.target > kLongestLoop)
            continue;
        const auto begin = image.code.begin() + branch.target,
                   behind = image.code.begin() + back + 1;
        const bool only_waits = std::all_of(begin, behind, [&](const Insn& insn) {
            return does_nothing_else(insn.kind) && !waits_for_others(*image.instructions[insn.pc]);
        });
        if (!only_waits) continue;
        for (auto insn = begin; insn != behind; ++insn)
            if (insn->kind == Kind::pause && image.instructions[insn->pc]->opcode == "mov")
                insn->option = kOnlyWaits;
    }
}

}  // namespace vgpu
