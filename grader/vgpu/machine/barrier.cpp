// Waiting and being let go. See barrier.h.
#include "vgpu/machine/barrier.h"

#include <fmt/format.h>

#include <vector>

#include "vgpu/machine/execution.h"

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

std::string text(const Dim3& d) {
    return fmt::format("({},{},{})", d.x, d.y, d.z);
}

std::string line_text(const Warp& warp, std::uint32_t pc) {
    const SourceLine where = where_is(warp, pc);
    return where.line == 0 ? "another place" : fmt::format("line {}", where.line);
}

unsigned first_lane(Mask mask) {
    return static_cast<unsigned>(__builtin_ctz(mask));
}

void report_divergence(const Waiting& at, std::string detail) {
    const Insn& insn = at.warp->execution->image.code[at.pc()];
    const unsigned lane = first_lane(at.path->mask);
    Finding finding = finding_at(*at.warp, insn, Check::barrier_divergence, lane);
    finding.detail = std::move(detail);
    report(*at.warp, std::move(finding), lane);
}

/// A thread of the block that has left the kernel.
std::string first_that_left(const Block& block) {
    for (const Warp& warp : block.warps) {
        const std::uint32_t begin = warp.index * kWarpSize;
        for (unsigned lane = 0; lane < kWarpSize && begin + lane < block.threads; ++lane)
            if ((warp.live >> lane & 1) == 0) return text(thread_of(warp, lane));
    }
    return "";
}

void check_complete(const Block& block, const std::vector<Waiting>& list) {
    for (const auto& other : list) {
        if (other.pc() == list[0].pc()) continue;
        report_divergence(list[0],
                          fmt::format("thread {} waits at the barrier in {} instead",
                                      text(thread_of(*other.warp, first_lane(other.path->mask))),
                                      line_text(*other.warp, other.pc())));
        return;
    }
    if (const auto gone = block.threads - block.live_threads(); gone != 0)
        report_divergence(list[0], fmt::format("thread {} has already returned, and {} in all",
                                               first_that_left(block), gone));
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
    warp.block->passed[barrier] += lane_count(active);
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
        const auto list = waiting_at(block, barrier);
        const std::uint32_t expected = block.expected[static_cast<std::size_t>(barrier)];
        auto& passed = block.passed[static_cast<std::size_t>(barrier)];
        if (thread_count(list) + passed < (expected != 0 ? expected : block.live_threads()))
            continue;
        passed = 0;
        if (expected == 0) check_complete(block, list);
        reduce(list);
        for (const auto& one : list) one.path->barrier = -1;
        for (Warp& warp : block.warps) merge_equal(warp.paths);
        opened = true;
    }
    return opened;
}

void report_deadlock(Block& block) {
    for (Warp& warp : block.warps) {
        for (Path& path : warp.paths) {
            if (!path.waits()) continue;
            const Waiting at{&warp, &path};
            std::string other;
            for (Warp& w : block.warps)
                for (Path& p : w.paths)
                    if (other.empty() && !(p.waits() && p.pc == path.pc) && (p.mask & ~path.mask))
                        other = text(thread_of(w, first_lane(p.mask & ~path.mask)));
            std::string detail = "these threads wait for ever";
            if (!other.empty()) detail += fmt::format("; thread {} is elsewhere", other);
            report_divergence(at, std::move(detail));
            return;
        }
    }
}

namespace {

/// Whether a path waits to meet others, at a place where lanes that wait at `insn` meet it.
bool meets(const Warp& warp, const Path& path, const Insn& insn) {
    if (path.rendezvous == 0) return false;
    const bool is_barrier = insn.option == kMeetAnywhere;
    return path.pc == insn.pc ||
           (is_barrier && warp.execution->image.code[path.pc].execute == insn.execute);
}

}  // namespace

Mask meet(Warp& warp, const Insn& insn, Mask active, Mask members) {
    Mask here = active;
    for (const Path& path : warp.paths)
        if (meets(warp, path, insn)) here |= path.mask;
    if ((members & warp.live & ~here) != 0) {
        Path& path = warp.paths.back();
        path.pc = insn.pc;  // it executes again, with the others, when they have come
        path.rendezvous = members;
        return 0;
    }
    for (Path& path : warp.paths) {
        if (!meets(warp, path, insn)) continue;
        path.rendezvous = 0;
        ++path.pc;
    }
    merge_equal(warp.paths);
    return here;
}

bool retry_meetings(Warp& warp) {
    for (Path& path : warp.paths) {
        if (path.rendezvous == 0) continue;
        const Insn& insn = warp.execution->image.code[path.pc];
        Mask here = 0;
        for (const Path& other : warp.paths)
            if (meets(warp, other, insn)) here |= other.mask;
        if ((path.rendezvous & warp.live & ~here) != 0) continue;
        path.rendezvous = 0;
        return true;
    }
    return false;
}

}  // namespace vgpu
