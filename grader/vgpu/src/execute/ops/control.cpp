// Branches and ends: bra, brx.idx, exit, ret, trap.
#include <algorithm>
#include <vector>

#include "execute/execution.h"
#include "execute/ops/calls.h"
#include "execute/ops/table.h"
#include "execute/special_registers.h"
#include "state/origin.h"

namespace vgpu {
namespace {

/// Backward branches after which a warp lets its other paths and the other warps run: what it spins
/// for may be theirs to do. Chosen: long enough to cost nothing. A loop that looks at what others
/// write (volatile, atomics) and writes itself may work or wait: its turn is shorter.
constexpr std::uint32_t kTurn = 10'000, kTurnOfLooking = 256;
/// The same for loops that only look and wait: for its other paths, and for other warps. Where all
/// lanes wait, none of them can be what they wait for: a barrier that polls (cuda::barrier) then
/// costs a warp some dozen instructions.
constexpr std::uint32_t kPollsForPath = 16, kPollsForWarp = 512, kPollsOfAll = 4;
constexpr std::uint8_t kPolls = 1, kLooks = 2;  // Insn::option of a branch back to a loop's begin

Flow count_turn(Warp& w, const Insn& i) {
    if (i.target > i.pc) return Flow::next;
    ++w.backward_branches;
    const bool all_wait = i.option == kPolls && w.paths.back().mask == w.live;
    if (all_wait && w.backward_branches % kPollsOfAll == 0) return Flow::yield;
    if (i.option == kPolls && !all_wait) {
        // Its other paths have had their turn just before: whether one of them can go on is known.
        const std::uint32_t since = w.backward_branches % kPollsForPath;
        if (since == 1) w.execution->spin_loops.keep(w, i);
        if (since == 2)
            w.execution->spin_loops.skip(w, i, kPollsForWarp - w.backward_branches % kPollsForWarp);
        if (w.backward_branches % kPollsForPath == 0) {
            release_early(w.paths);
            run_another(w.paths);
            return w.backward_branches % kPollsForWarp == 0 ? Flow::yield : Flow::next;
        }
    }
    const std::uint32_t turn = i.option == kLooks ? kTurnOfLooking : kTurn;
    if (w.backward_branches % turn != 0) return Flow::next;
    run_another(w.paths);
    return Flow::yield;
}

/// What a stretch of code does to memory that others see.
struct BodyEffects {
    bool looks = false;    // reads what others may change meanwhile: volatile, atomics
    bool changes = false;  // or reads anew each time: then it may be at work
};

void add_effects(BodyEffects& effects, const ptx::Module& module, const ptx::Function& function,
                 std::size_t begin, std::size_t end, int calls_left) {
    for (std::size_t at = begin; at < end && !(effects.looks && effects.changes); ++at) {
        const ptx::Instruction& instruction = function.body[at];
        const auto says = [&](std::string_view modifier) {
            const auto& all = instruction.modifiers;
            return std::find(all.begin(), all.end(), modifier) != all.end();
        };
        const bool private_space = says("local") || says("param") || says("const");
        const bool ordered = says("volatile") || says("relaxed") || says("acquire");
        if (instruction.opcode == "atom" || (instruction.opcode == "ld" && ordered))
            effects.looks = true;
        else if (instruction.opcode == "st" || instruction.opcode == "red" ||
                 (instruction.opcode == "ld" && says("global")))
            effects.changes |= !private_space;
        if (instruction.opcode != "call") continue;
        for (const auto& operand : instruction.operands) {
            const ptx::Function* callee = module.function(operand.text);
            if (callee && calls_left > 0)
                add_effects(effects, module, *callee, 0, callee->body.size(), calls_left - 1);
        }
    }
}

/// What the loop does that a branch back to `target` closes: 0, or kPolls if it only waits for
/// others, or kLooks.
std::uint8_t kind_of_loop(const Encoder& e, std::uint32_t target) {
    constexpr int kCallsDeep = 4;  // -G calls functions for what is one instruction
    BodyEffects effects;
    add_effects(effects, *e.image.module, *e.scope.function, target - e.scope.first,
                e.insn.pc - e.scope.first, kCallsDeep);
    if (!effects.looks) return 0;
    return effects.changes ? kLooks : kPolls;
}

Flow execute_bra(Warp& w, const Insn& i, Mask taken) {
    Path& path = w.paths.back();
    if (taken == path.mask) {
        path.pc = i.target;
        return count_turn(w, i);
    }
    if (taken == 0) return Flow::next;
    ++w.execution->tallies[i.pc].divergent;
    const Part parts[] = {{i.target, taken}, {path.pc, path.mask & ~taken}};
    split(w, parts, i.reconvergence);
    return count_turn(w, i);
}

void build_bra(Encoder& e) {
    for (const auto& modifier : e.ptx.modifiers)
        if (modifier != "uni") throw Unsupported{""};
    e.insn.execute = execute_bra;
    e.insn.target = e.label(e.operand(0).text);
    e.insn.reconvergence = e.reconvergence();
    if (e.insn.target <= e.insn.pc) e.insn.option = kind_of_loop(e, e.insn.target);
}

/// One path a target. A lane with an index past the list's end has nowhere to go: it stops.
Flow execute_brx(Warp& w, const Insn& i, Mask active) {
    const auto& targets = w.execution->image.branch_tables[i.target];
    const auto* index = w.lanes<std::uint32_t>(i.operand[0]);
    Path& path = w.paths.back();
    std::vector<Part> parts;
    if (active != path.mask) parts.push_back({path.pc, path.mask & ~active});
    for (Mask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (index[lane] >= targets.size()) {
            Finding finding = finding_at(w, i, Check::trap, lane);
            finding.cause = cause::Trap{cause::Trap::Why::switch_table, 0, ""};
            report(w, std::move(finding), lane);
            w.execution->outcome = Outcome::illegal_instruction;
            return Flow::stop;
        }
        const std::uint32_t target = targets[index[lane]];
        const auto known = std::find_if(parts.begin(), parts.end(),
                                        [&](const Part& part) { return part.pc == target; });
        if (known == parts.end())
            parts.push_back({target, Mask{1} << lane});
        else
            known->lanes |= Mask{1} << lane;
    }
    if (parts.size() == 1) {
        path.pc = parts[0].pc;
        return Flow::next;
    }
    ++w.execution->tallies[i.pc].divergent;
    split(w, parts, i.reconvergence);
    return Flow::next;
}

void build_brx(Encoder& e) {
    if (e.ptx.modifiers.empty() || e.ptx.modifiers[0] != "idx") throw Unsupported{""};
    e.insn.execute = execute_brx;
    e.source(0, Cell::word);
    e.insn.target = static_cast<std::uint32_t>(e.image.branch_tables.size());
    e.insn.reconvergence = e.reconvergence();
    auto& table = e.image.branch_tables.emplace_back();
    for (const auto target : branch_targets(*e.scope.function, e.ptx, e.scope.flow->labels))
        table.push_back(e.scope.first + target);
}

Flow execute_exit(Warp& w, const Insn&, Mask active) {
    if (active == 0) return Flow::next;
    w.live &= ~active;
    remove_lanes(w.paths, active, 0);
    return Flow::next;
}

void build_exit(Encoder& e) {
    e.insn.execute = execute_exit;
}

/// Lanes leave all paths of the function; the caller's path below them goes on when none is left.
Flow execute_ret(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const std::uint32_t depth = w.paths.back().depth;
    if (depth == 0) return execute_exit(w, i, active);
    Path* caller = nullptr;
    for (Path& path : w.paths)
        if (path.depth + 1 == depth && (path.mask & active) != 0) caller = &path;
    const Image& image = w.execution->image;
    const auto call_index = static_cast<std::size_t>(image.code[caller->pc - 1].immediate);
    finish_call(w, image.calls[call_index], *caller, active);
    remove_lanes(w.paths, active, depth);
    return Flow::next;
}

void build_ret(Encoder& e) {
    e.insn.execute = execute_ret;
}

/// Whether it is cooperative groups' own trap, in a kernel that asks for the words behind
/// grid.sync(), which an ordinary launch does not have. Debug builds call __trap() as a function.
bool syncs_ordinary_grid(const Warp& w, std::uint32_t pc) {
    const Image& image = w.execution->image;
    const Path& trapped = w.paths.back();
    bool is_theirs = from_cooperative_groups(image, pc);
    for (const Path& path : w.paths)
        if (path.depth + 1 == trapped.depth && (path.mask & trapped.mask) != 0)
            is_theirs |= from_cooperative_groups(image, path.pc - 1);
    return is_theirs && w.execution->grid_workspace == 0 &&
           std::any_of(image.specials.begin(), image.specials.end(), [](const Image::Special& use) {
               return use.special->name.starts_with("%envreg");
           });
}

Flow execute_trap(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const auto lane = static_cast<unsigned>(__builtin_ctz(active));
    Finding finding = finding_at(w, i, Check::trap, lane);
    finding.occurrences = lane_count(active);
    using Why = cause::Trap::Why;
    finding.cause = cause::Trap{syncs_ordinary_grid(w, i.pc) ? Why::grid_sync : Why::called, 0, ""};
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::trap;
    return Flow::stop;
}

void build_trap(Encoder& e) {
    e.insn.execute = execute_trap;
}

}  // namespace

std::span<const BuilderRow> control_builders() {
    static constexpr std::string_view kFile = "control.cpp";
    static constexpr BuilderRow kBuilders[] = {{"bra", build_bra, kFile},
                                               {"brx", build_brx, kFile},
                                               {"exit", build_exit, kFile},
                                               {"ret", build_ret, kFile},
                                               {"trap", build_trap, kFile}};
    return kBuilders;
}

}  // namespace vgpu
