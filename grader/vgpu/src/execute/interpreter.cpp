// The interpreter's inner loop.
#include "execute/interpreter.h"

#include "execute/block_barrier.h"
#include "execute/recorder.h"
#include "execute/stuck.h"
#include "execute/trace.h"
#include "execute/unset_values.h"

namespace vgpu {
namespace {

/// Leaves a stretch of `count` instructions after `done`: the rest is counted when it is run. (What
/// a stretch adds to the counts of its instructions is the sum of what stands before each.)
void leave(Warp& warp, const Insn* begin, std::uint32_t done, std::uint32_t count, Mask mask) {
    Execution& execution = *warp.execution;
    const std::uint32_t rest = count - done;
    if (rest == 0) return;
    warp.paths.back().pc -= rest;
    execution.executed -= rest;
    Tally& tally = execution.tallies[begin->pc + done];
    --tally.starts;
    tally.start_lanes -= lane_count(mask);
}

/// `execute` executes one instruction. `Interleaves`: other warps have a turn
/// after what a thread reads of a word that others may change at any time, so that a change which
/// is made of what was read, as `volatile` makes it, may be lost here as on a GPU.
template <bool Interleaves, class Execute>
[[gnu::always_inline]] inline Flow run(Warp& warp, Execute execute) {
    Execution& execution = *warp.execution;
    const Insn* const code = execution.image.code.data();
    while (!warp.paths.empty()) {
        Path& path = warp.paths.back();
        if (path.waits()) {
            if (run_another(warp.paths) || retry_warp_syncs(warp)) continue;
            return Flow::wait;
        }
        if (path.pc == path.reconvergence) {
            warp.paths.pop_back();
            continue;
        }
        // Straight on: only the last instruction of a stretch can move the paths.
        const Insn* insn = code + path.pc;
        const std::uint32_t count = insn->stretch;
        if (execution.executed + count > execution.limit) {
            report_endless(warp, path, false);
            return Flow::stop;
        }
        execution.executed += count;
        Tally& tally = execution.tallies[path.pc];
        ++tally.starts;
        const Mask mask = path.mask;
        tally.start_lanes += lane_count(mask);
        path.pc += count;
        Flow flow = Flow::next;
        for (const Insn* const end = insn + count; insn != end; ++insn) {
            const Mask active = mask & (warp.predicate(insn->guard) ^ insn->guard_flip);
            flow = execute(*insn, active);
            if (flow == Flow::stop) return flow;
            if constexpr (Interleaves) {
                if (insn->kind != Kind::load || !insn->strong) continue;
                leave(warp, end - count, static_cast<std::uint32_t>(insn + 1 - (end - count)),
                      count, mask);
                return Flow::yield;
            }
        }
        if (flow == Flow::yield) return flow;
    }
    return Flow::next;
}

}  // namespace

Flow run_warp(Warp& warp) {
    return run<false>(
        warp, [&](const Insn& insn, Mask active) { return insn.execute(warp, insn, active); });
}

Flow run_interleaved(Warp& warp) {
    return run<true>(
        warp, [&](const Insn& insn, Mask active) { return insn.execute(warp, insn, active); });
}

Flow run_traced(Warp& warp) {
    return run<false>(warp, [&](const Insn& insn, Mask active) {
        trace(warp, insn, active);
        return insn.execute(warp, insn, active);
    });
}

Flow run_recorded(Warp& warp) {
    Recorder& recorder = *warp.execution->recorder;
    const auto execute = [&](const Insn& insn, Mask active) {
        recorder.before(warp, insn, active);
        const Flow flow = insn.execute(warp, insn, active);
        recorder.after(warp);
        return flow;
    };
    return warp.execution->options.seed != 0 ? run<true>(warp, execute) : run<false>(warp, execute);
}

Flow run_followed(Warp& warp) {
    UnsetValues& unset = *warp.execution->unset;
    const auto execute = [&](const Insn& insn, Mask active) {
        return unset.execute(warp, insn, active);
    };
    return warp.execution->options.seed != 0 ? run<true>(warp, execute) : run<false>(warp, execute);
}

}  // namespace vgpu
