// Waiting and being let go. See block_barrier.h.
#include "execute/block_barrier.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "execute/block.h"
#include "execute/execution.h"
#include "race/happens_before_checker.h"
#include "race/shadow_word.h"

namespace vgpu {
namespace {

struct Waiting {
    Warp* warp = nullptr;
    Path* path = nullptr;
    std::uint32_t pc() const { return path->barrier >= 0 ? path->pc - 1 : path->pc; }
};

std::vector<Waiting> waiting_at(Block& block, int barrier) {
    std::vector<Waiting> list;
    for (Warp& warp : block.warps)
        for (Path& path : warp.paths)
            if (path.barrier == barrier) list.push_back({&warp, &path});
    return list;
}

std::uint32_t thread_count(const std::vector<Waiting>& list) {
    std::uint32_t count = 0;
    for (const auto& one : list) count += lane_count(one.path->mask);
    return count;
}

/// Lanes of a warp that will never come, as the block has no such threads, or as they have left. A
/// barrier that says how many threads it waits for counts whole warps, so it counts them, too.
std::uint32_t absent_lanes(const Warp& warp) {
    return lane_count(~warp.live);
}

std::uint32_t absent_lanes(const std::vector<Waiting>& list) {
    std::uint32_t count = 0;
    const Warp* last = nullptr;  // paths of one warp lie side by side
    for (const auto& one : list)
        if (one.warp != std::exchange(last, one.warp)) count += absent_lanes(*one.warp);
    return count;
}

/// A barrier of `expected` threads opens when they have arrived; later ones wait for the next
/// phase. By warps, as all stand still by now, and the order in which they came is lost.
void keep_first(std::vector<Waiting>& list, std::uint32_t expected, std::uint32_t passed) {
    std::uint32_t arrived = passed;
    for (auto one = list.begin(); one != list.end();) {
        arrived += absent_lanes(*one->warp);
        const Warp* const warp = one->warp;
        for (; one != list.end() && one->warp == warp; ++one)
            arrived += lane_count(one->path->mask);
        if (arrived >= expected) {
            list.erase(one, list.end());
            return;
        }
    }
}

void tick(Warp& warp) {
    warp.now = std::min(warp.now + 1, warp.block->ordered + kShadowAhead);
}

int line_of(const Warp& warp, std::uint32_t pc) {
    return where_is(warp, pc).line;
}

unsigned first_lane(Mask mask) {
    return static_cast<unsigned>(__builtin_ctz(mask));
}

void report_divergence(const Waiting& at, Cause why) {
    const Insn& insn = at.warp->execution->image.code[at.pc()];
    const unsigned lane = first_lane(at.path->mask);
    Finding finding = finding_at(*at.warp, insn, Check::barrier_divergence, lane);
    finding.cause = std::move(why);
    report(*at.warp, std::move(finding), lane);
}

/// A thread of the block that has left the kernel.
Dim3 first_that_left(const Block& block) {
    for (const Warp& warp : block.warps) {
        const std::uint32_t begin = warp.index * kWarpSize;
        for (unsigned lane = 0; lane < kWarpSize && begin + lane < block.threads; ++lane)
            if ((warp.live >> lane & 1) == 0) return thread_of(warp, lane);
    }
    return {};
}

void check_complete(const Block& block, const std::vector<Waiting>& list) {
    for (const auto& other : list) {
        if (other.pc() == list[0].pc()) continue;
        report_divergence(list[0],
                          cause::OtherBarrier{thread_of(*other.warp, first_lane(other.path->mask)),
                                              line_of(*other.warp, other.pc())});
        return;
    }
    if (const auto gone = block.threads - block.live_threads(); gone != 0)
        report_divergence(list[0], cause::Returned{first_that_left(block), gone});
}

/// bar.red: what all threads brought, for all of them.
void reduce(const std::vector<Waiting>& list) {
    const auto insn_of = [](const Waiting& one) -> const Insn& {
        return one.warp->execution->image.code[one.pc()];
    };
    std::uint32_t yes = 0;
    for (const auto& one : list) {
        const Insn& insn = insn_of(one);
        if ((insn.option & ~kAllThreads) == 0) continue;
        const Mask says = one.warp->predicate(insn.operand[3]) ^ static_cast<Mask>(insn.immediate);
        yes += lane_count(says & one.path->mask);
    }
    for (const auto& one : list) {
        const Insn& insn = insn_of(one);
        const Mask lanes = one.path->mask;
        if ((insn.option & kReducePopc) != 0) {
            for (Mask rest = lanes; rest != 0; rest &= rest - 1)
                one.warp->lanes<std::uint32_t>(insn.operand[2])[__builtin_ctz(rest)] = yes;
        } else if ((insn.option & (kReduceAnd | kReduceOr)) != 0) {
            const bool holds =
                (insn.option & kReduceAnd) != 0 ? yes == thread_count(list) : yes != 0;
            Mask& p = one.warp->predicate(insn.operand[2]);
            p = (p & ~lanes) | (holds ? lanes : 0);
        }
    }
}

/// What a barrier orders, for the race check.
void pass(Block& block, unsigned barrier, const std::vector<Waiting>& list) {
    const bool is_for_all = block.orders_all(barrier, thread_count(list));
    if (is_for_all) {
        for (const Warp& warp : block.warps) block.ordered = std::max(block.ordered, warp.now);
        ++block.ordered;
        for (Warp& warp : block.warps) warp.now = warp.met = block.ordered;
    } else {
        for (const auto& one : list) tick(*one.warp);
    }
    HappensBeforeChecker* const checker = list[0].warp->execution->checker;
    if (!checker) return;
    std::vector<HappensBeforeChecker::Group> groups;
    for (const auto& one : list) groups.push_back({one.warp, one.path->mask});
    checker->passed_barrier(block.number, barrier, is_for_all, groups);
}

}  // namespace

void arrive(Warp& warp, Mask active, unsigned barrier, std::uint32_t threads) {
    warp.block->expected[barrier] = threads;
    Path& path = warp.paths.back();
    if (active != path.mask) {  // a guarded barrier: two paths from here on
        Path rest{path.pc, path.reconvergence, path.mask & ~active, path.depth};
        path.mask = active;
        warp.paths.insert(warp.paths.end() - 1, std::move(rest));
    }
    warp.paths.back().barrier = static_cast<std::int16_t>(barrier);
}

void pass(Warp& warp, Mask active, unsigned barrier, std::uint32_t threads) {
    warp.block->expected[barrier] = threads;
    warp.block->passed[barrier] +=
        lane_count(active) + (active == warp.live ? absent_lanes(warp) : 0);
    if (warp.execution->checker)
        warp.execution->checker->arrived(warp.block->number, warp, active, barrier);
}

bool open_barriers(Block& block) {
    std::uint32_t waited_for = 0;
    for (unsigned barrier = 0; barrier < block.passed.size(); ++barrier)
        if (block.passed[barrier] != 0) waited_for |= 1u << barrier;
    for (const Warp& warp : block.warps)
        for (const Path& path : warp.paths)
            if (path.barrier >= 0) waited_for |= 1u << path.barrier;
    bool opened = false;
    for (; waited_for != 0; waited_for &= waited_for - 1) {
        const int barrier = __builtin_ctz(waited_for);
        auto list = waiting_at(block, barrier);
        const std::uint32_t expected = block.expected[static_cast<std::size_t>(barrier)];
        auto& passed = block.passed[static_cast<std::size_t>(barrier)];
        const std::uint32_t arrived = thread_count(list) + passed;
        if (expected != 0 ? arrived + absent_lanes(list) < expected
                          : arrived < block.live_threads()) {
            continue;
        }
        if (expected != 0) keep_first(list, expected, passed);
        passed = 0;
        if (expected == 0) check_complete(block, list);
        reduce(list);
        pass(block, static_cast<unsigned>(barrier), list);
        for (const auto& one : list) one.path->barrier = -1;
        for (Warp& warp : block.warps) merge_equal(warp.paths);
        opened = true;
    }
    return opened;
}

namespace {

/// Lanes that wait at `insn` to meet those in `sync_lanes`.
struct WarpSync {
    const Insn& insn;
    Mask sync_lanes = 0;
};

/// Whether a path waits at a place where it takes part in the meeting.
bool takes_part(const Warp& warp, const Path& path, const WarpSync& sync) {
    const Insn& insn = sync.insn;
    if (path.sync_lanes == 0) return false;
    if (path.pc == insn.pc) return true;
    const Insn& other = warp.execution->image.code[path.pc];
    if (other.execute != insn.execute || other.option != insn.option) return false;
    return insn.option == kSyncAnywhere ||
           ((insn.option & kExchangeAnywhere) != 0 && path.sync_lanes == sync.sync_lanes);
}

/// All lanes that need wait for the meeting no longer: those of paths whose members are there, too.
/// `absent` lanes belong to a path that is there, but do not execute it.
Mask complete_at(const Warp& warp, const WarpSync& sync, Mask absent) {
    Mask here = 0;
    for (const Path& path : warp.paths)
        if (takes_part(warp, path, sync)) here |= path.mask & ~absent;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Path& path : warp.paths) {
            if (!takes_part(warp, path, sync) || (path.mask & here) == 0) continue;
            if ((path.sync_lanes & warp.live & ~here) == 0) continue;
            here &= ~path.mask;
            changed = true;
        }
    }
    return here;
}

}  // namespace

namespace {

/// All lanes that one of `lanes` wants to meet.
Mask wanted(Mask lanes, const Mask* masks) {
    Mask all = 0;
    for (Mask rest = lanes; rest != 0; rest &= rest - 1) all |= masks[__builtin_ctz(rest)];
    return all;
}

/// For the race check: each group of lanes that wanted each other has met.
void note_warp_sync(Warp& warp, Mask here, const Mask* masks) {
    const std::uint32_t before = warp.now;
    tick(warp);
    const Mask first = masks[__builtin_ctz(here)];
    if ((warp.live & ~(here & first)) == 0 && warp.now != before) warp.met = warp.now;
    if (!warp.execution->checker) return;
    each_group(here, masks, [&](Mask lanes, Mask) {
        warp.execution->checker->met(warp.block->number, warp, lanes);
    });
}

/// A lane must name itself among those that it wants to meet.
void check_masks(const Warp& warp, const Insn& insn, Mask active, const Mask* masks) {
    Mask wrong = 0;
    for (Mask rest = active; rest != 0; rest &= rest - 1)
        if (const int lane = __builtin_ctz(rest); (masks[lane] >> lane & 1) == 0)
            wrong |= Mask{1} << lane;
    if (wrong == 0) return;
    const unsigned lane = first_lane(wrong);
    Finding finding = finding_at(warp, insn, Check::invalid_mask, lane);
    finding.occurrences = lane_count(wrong);
    finding.cause = cause::WrongMask{lane, masks[lane]};
    report(warp, std::move(finding), lane);
}

}  // namespace

Mask converge(Warp& warp, const Insn& insn, Mask active, std::size_t operand) {
    const Mask* masks = warp.lanes<Mask>(insn.operand[operand]);
    auto& elsewhere = warp.execution->converged_elsewhere;
    elsewhere.clear();
    Path& path = warp.paths.back();
    path.pc = insn.pc;  // it executes again, with the others, when they have come
    path.sync_lanes = wanted(active, masks) | active;
    const WarpSync sync{insn, path.sync_lanes};
    const Mask here = complete_at(warp, sync, path.mask & ~active);
    Tally& tally = warp.execution->tallies[insn.pc];
    if ((here & active) == 0) {
        ++tally.repeats;
        tally.repeat_lanes += lane_count(path.mask);
        return 0;
    }
    std::array<Mask, kWarpSize> all_masks;
    for (const Path& one : warp.paths) {
        if ((one.mask & here) == 0 || one.pc == insn.pc || !takes_part(warp, one, sync)) continue;
        if (elsewhere.empty()) {
            std::copy_n(masks, kWarpSize, all_masks.begin());
            masks = all_masks.data();
        }
        const Insn& other = warp.execution->image.code[one.pc];
        elsewhere.push_back({&other, one.mask & here});
        for (Mask rest = one.mask & here; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::size_t>(__builtin_ctz(rest));
            all_masks[lane] = warp.lanes<Mask>(other.operand[operand])[lane];
        }
    }
    check_masks(warp, insn, here, masks);  // once, though some of them waited
    for (Path& one : warp.paths) {
        if ((one.mask & here) == 0 || !takes_part(warp, one, sync)) continue;
        one.sync_lanes = 0;
        ++one.pc;
        if (&one != &path) tally.joined_lanes += lane_count(one.mask & ~active);
    }
    note_warp_sync(warp, here, masks);
    merge_equal(warp.paths);
    return here;
}

void note_warp_sync(Warp& warp, Mask here) {
    const std::uint32_t before = warp.now;
    tick(warp);
    if ((warp.live & ~here) == 0 && warp.now != before) warp.met = warp.now;
    if (warp.execution->checker) warp.execution->checker->met(warp.block->number, warp, here);
}

bool release_awaited(Block& block) {
    bool released = false;
    for (Warp& warp : block.warps) {
        if (!all_wait(warp.paths)) continue;
        Mask awaited = 0;
        for (const Path& path : warp.paths) awaited |= path.sync_lanes & warp.live & ~path.mask;
        if (awaited != 0 && release_early(warp.paths, awaited)) released = true;
    }
    return released;
}

bool retry_warp_syncs(Warp& warp) {
    for (Path& path : warp.paths) {
        if (path.sync_lanes == 0) continue;
        const WarpSync sync{warp.execution->image.code[path.pc], path.sync_lanes};
        if ((complete_at(warp, sync, 0) & path.mask) == 0) continue;
        path.sync_lanes = 0;
        return true;
    }
    return false;
}

}  // namespace vgpu
