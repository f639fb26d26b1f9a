#include "execute/spin_loop_skipper.h"

#include <algorithm>
#include <cstring>

#include "execute/block.h"
#include "execute/execution.h"

namespace vgpu {
namespace {

/// Rounds of longer ones are not looked at. Chosen.
constexpr std::uint32_t kLongestSpinLoop = 48;

/// Whether a round can do nothing but look: what it does to counts is the same each time, and
/// nothing else remembers it. One lane's load of one place is no load that L2 gets
/// (access.cpp, polls_again).
bool only_looks(const Warp& warp, const Insn& branch) {
    const Execution& execution = *warp.execution;
    if (execution.is_traced || execution.pages.is_parallel || warp.block->is_l1_sample ||
        lane_count(warp.paths.back().mask) != 1 || warp.polled == 0 ||
        branch.pc - branch.target > kLongestSpinLoop)
        return false;
    const auto begin = execution.image.code.begin() + branch.target,
               end = execution.image.code.begin() + branch.pc + 1;
    // A checker makes nothing of the same look again, but a note of each fence.
    const auto is_harmless = [&](const Insn& insn) {
        return insn.kind == Kind::plain || insn.kind == Kind::branch ||
               (insn.kind == Kind::fence && !execution.checker) ||
               (insn.kind == Kind::load && insn.strong);
    };
    return std::all_of(begin, end, is_harmless) &&
           std::count_if(begin, end, [](const Insn& insn) { return insn.kind == Kind::load; }) == 1;
}

bool has_only_one_to_run(const std::vector<Path>& paths) {
    std::size_t running = 0;
    each_running(paths, [&](const Path&) { ++running; });
    return running == 1;
}

}  // namespace

void SpinLoopSkipper::keep(const Warp& warp, const Insn& branch) {
    warp_ = nullptr;
    if (!only_looks(warp, branch)) return;
    const Execution& execution = *warp.execution;
    warp_ = &warp;
    pc_ = branch.pc;
    branches_ = warp.backward_branches;
    paths_ = warp.paths.size();
    executed_ = execution.executed;
    registers_.assign(warp.registers, warp.registers + execution.image.register_bytes);
    tallies_.assign(execution.tallies.begin() + branch.target,
                    execution.tallies.begin() + branch.pc + 1);
}

bool SpinLoopSkipper::skip(Warp& warp, const Insn& branch, std::uint32_t rounds) {
    if (warp_ != &warp || pc_ != branch.pc || branches_ + 1 != warp.backward_branches ||
        paths_ != warp.paths.size() || warp.paths.back().pc != branch.target ||
        !only_looks(warp, branch) || !has_only_one_to_run(warp.paths) ||
        std::memcmp(registers_.data(), warp.registers, registers_.size()) != 0)
        return false;
    warp_ = nullptr;
    Execution& execution = *warp.execution;
    const std::uint64_t round = execution.executed - executed_;
    std::uint64_t inside = 0;
    for (std::uint32_t pc = branch.target; pc <= branch.pc; ++pc) {
        const Tally &now = execution.tallies[pc], &then = tallies_[pc - branch.target];
        inside += (now.starts - then.starts) * execution.image.code[pc].stretch;
    }
    // Not if it was elsewhere, too; and the limit is the interpreter's business.
    if (inside != round || rounds * round > execution.limit - execution.executed) return false;
    for (std::uint32_t pc = branch.target; pc <= branch.pc; ++pc)
        execution.tallies[pc].repeat_since(tallies_[pc - branch.target], rounds);
    execution.executed += rounds * round;
    warp.backward_branches += rounds;
    return true;
}

}  // namespace vgpu
