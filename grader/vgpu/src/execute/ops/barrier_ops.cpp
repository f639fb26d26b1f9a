// bar.sync, bar.arrive, bar.red and their barrier.* names, bar.warp.sync, and fences: warps take
// turns and memory has no caches, so that a fence has nothing to wait for.
#include <algorithm>
#include <vector>

#include "execute/block.h"
#include "execute/block_barrier.h"
#include "execute/execution.h"
#include "execute/ops/table.h"
#include "race/happens_before_checker.h"

namespace vgpu {
namespace {

Flow execute_barrier(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    const auto lane = static_cast<unsigned>(__builtin_ctz(active));
    // PTX leaves larger numbers undefined.
    const std::uint32_t barrier = w.lanes<std::uint32_t>(i.operand[0])[lane] % kNumberedBarriers;
    const bool all = (i.option & kAllThreads) != 0;
    const std::uint32_t threads = all ? 0 : w.lanes<std::uint32_t>(i.operand[1])[lane];
    if ((i.option & kPassOn) != 0) return pass(w, active, barrier, threads), Flow::next;
    arrive(w, active, barrier, threads);
    return Flow::wait;
}

/// sync a{, b}; arrive a, b; red.popc.u32 d, a{, b}, p; red.and.pred p, a{, b}, q
void build_block_barrier(Encoder& e) {
    auto modifiers = e.ptx.modifiers;
    std::erase_if(modifiers, [](const auto& m) { return m == "cta" || m == "aligned"; });
    e.insn.execute = execute_barrier;
    std::size_t at = 0, end = e.operand_count();
    if (modifiers.size() == 3 && modifiers[0] == "red") {
        const std::string form = modifiers[1] + "." + modifiers[2];
        if (form == "popc.u32")
            e.insn.option = kReducePopc;
        else if (form == "and.pred")
            e.insn.option = kReduceAnd;
        else if (form == "or.pred")
            e.insn.option = kReduceOr;
        else
            throw Unsupported{""};
        e.insn.operand[2] =
            e.result_of(e.operand(at++), form == "popc.u32" ? Cell::word : Cell::predicate);
        const auto& says = e.operand(--end);
        e.insn.operand[3] = e.source_of(says, Cell::predicate);
        e.insn.immediate = says.negated ? -1 : 0;
    } else if (modifiers == std::vector<std::string>{"arrive"}) {
        e.insn.option = kPassOn;
    } else if (modifiers != std::vector<std::string>{"sync"}) {
        throw Unsupported{""};
    }
    e.insn.operand[0] = e.source_of(e.operand(at++), Cell::word);
    if (at < end)
        e.insn.operand[1] = e.source_of(e.operand(at), Cell::word);
    else
        e.insn.option |= kAllThreads;
}

Flow execute_cluster_barrier(Warp& w, const Insn&, Mask active) {
    if (active == 0) return Flow::next;
    arrive(w, active, kClusterBarrier, 0);
    return Flow::wait;
}

/// barrier.cluster.arrive and .wait, of a cluster that is one block: it is enough to wait.
void build_cluster_barrier(Encoder& e) {
    const bool waits = e.ptx.has("wait");
    if (!waits && !e.ptx.has("arrive")) throw Unsupported{""};
    e.insn.execute = waits ? execute_cluster_barrier : execute_nothing;
    e.insn.option = kAllThreads;
}

/// Operand [0]: the lanes that meet.
Flow execute_warp_barrier(Warp& w, const Insn& i, Mask active) {
    if (active == 0) return Flow::next;
    return converge(w, i, active, 0) == 0 ? Flow::wait : Flow::next;
}

void build_bar(Encoder& e) {
    if (e.ptx.has("cluster")) return build_cluster_barrier(e);
    if (e.ptx.has("warp")) {
        if (e.ptx.modifiers.size() != 2 || !e.ptx.has("sync")) throw Unsupported{""};
        e.insn.execute = execute_warp_barrier;
        e.insn.option = kSyncAnywhere;
        return e.source(0, Cell::word);
    }
    build_block_barrier(e);
}

/// Nothing to wait for; but what a thread did before is there for who sees its flag after.
Flow execute_fence(Warp& w, const Insn&, Mask active) {
    if (w.execution->checker && active != 0)
        w.execution->checker->fenced(w.block->number, w, active);
    return Flow::next;
}

void build_fence(Encoder& e) {
    if (e.ptx.has("mbarrier_init")) throw Unsupported{""};
    e.insn.execute = execute_fence;
}

/// Whoever sleeps waits for others: they get their turn.
Flow execute_sleep(Warp& w, const Insn&, Mask active) {
    if (active == 0) return Flow::next;
    run_another(w.paths);
    return Flow::yield;
}

void build_sleep(Encoder& e) {
    e.insn.execute = execute_sleep;
}

}  // namespace

std::span<const BuilderRow> barrier_builders() {
    static constexpr std::string_view kFile = "barrier_ops.cpp";
    static constexpr BuilderRow kBuilders[] = {{"bar", build_bar, kFile},
                                               {"barrier", build_bar, kFile},
                                               {"membar", build_fence, kFile},
                                               {"fence", build_fence, kFile},
                                               {"nanosleep", build_sleep, kFile}};
    return kBuilders;
}

}  // namespace vgpu
