// Branches and ends: bra, brx.idx, exit, ret, trap.
#include <algorithm>
#include <vector>

#include "vgpu/insns/calls.h"
#include "vgpu/insns/table.h"
#include "vgpu/machine/execution.h"

namespace vgpu {
namespace {

constexpr std::string_view kFile = "control.cpp";

/// Backward branches after which a warp lets its other paths and the other warps run: what it spins
/// for may be theirs to do. Chosen: long enough to cost nothing.
constexpr std::uint32_t kTurn = 10'000;

Flow count_turn(Warp& w, std::uint32_t target, std::uint32_t pc) {
    if (target > pc || ++w.backward_branches % kTurn != 0) return Flow::next;
    run_another(w.paths);
    return Flow::yield;
}

Flow execute_bra(Warp& w, const Insn& i, Mask taken) {
    Path& path = w.paths.back();
    if (taken == path.mask) {
        path.pc = i.target;
        return count_turn(w, i.target, i.pc);
    }
    if (taken == 0) return Flow::next;
    ++w.execution->tallies[i.pc].divergent;
    const Part parts[] = {{i.target, taken}, {path.pc, path.mask & ~taken}};
    split(w, parts, i.reconvergence);
    return count_turn(w, i.target, i.pc);
}

void build_bra(Encoder& e) {
    for (const auto& modifier : e.ptx.modifiers)
        if (modifier != "uni") throw Unsupported{""};
    e.insn.execute = execute_bra;
    e.insn.target = e.label(e.operand(0).text);
    e.insn.reconvergence = e.reconvergence();
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
            finding.detail = "it jumps past the end of a switch's table";
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

Flow execute_trap(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const auto lane = static_cast<unsigned>(__builtin_ctz(active));
    Finding finding = finding_at(w, i, Check::trap, lane);
    finding.occurrences = lane_count(active);
    finding.detail = "__trap() was called";
    report(w, std::move(finding), lane);
    w.execution->outcome = Outcome::device_assert;
    return Flow::stop;
}

void build_trap(Encoder& e) {
    e.insn.execute = execute_trap;
}

constexpr BuilderRow kBuilders[] = {{"bra", build_bra, kFile},
                                    {"brx", build_brx, kFile},
                                    {"exit", build_exit, kFile},
                                    {"ret", build_ret, kFile},
                                    {"trap", build_trap, kFile}};

}  // namespace

std::span<const BuilderRow> control_builders() {
    return kBuilders;
}

}  // namespace vgpu
