#include "execute/clock_wait.h"

#include <algorithm>

#include "execute/execution.h"

namespace vgpu {
namespace {

// All chosen. The clock is late by 1/64 of what a program waits for.
constexpr std::uint32_t kLooksBefore = 64;
constexpr std::uint64_t kShare = 64;
constexpr std::uint32_t kLongestLoop = 48;  // instructions

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

std::uint64_t clock_of(const Warp& warp) {
    return warp.execution->executed + warp.execution->waited;
}

void note_clock_read(Warp& warp) {
    warp.wait = {clock_of(warp), warp.execution->waited, 0};
}

void pass_time(Warp& warp) {
    ClockWait& wait = warp.wait;
    std::uint64_t& waited = warp.execution->waited;
    const bool is_first_since_jump = wait.jumped != waited;
    wait.jumped = waited;
    if (++wait.looks <= kLooksBefore || is_first_since_jump) return;
    wait.jumped = waited += (clock_of(warp) - wait.since) / kShare;
}

}  // namespace vgpu
