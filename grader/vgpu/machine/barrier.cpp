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
    std::uint32_t pc() const { return path->pc - 1; }
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
    for (const auto& one : list) count += static_cast<std::uint32_t>(__builtin_popcount(one.path->mask));
    return count;
}

std::string text(const Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

std::string line_text(const Warp& warp, std::uint32_t pc) {
    const SourceLine where = where_is(warp, pc);
    return where.line == 0 ? "another place" : fmt::format("line {}", where.line);
}

unsigned first_lane(Mask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

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
        report_divergence(list[0], fmt::format("thread {} waits at the barrier in {} instead",
                                               text(thread_of(*other.warp, first_lane(other.path->mask))),
                                               line_text(*other.warp, other.pc())));
        return;
    }
    if (const auto gone = block.threads - block.live_threads(); gone != 0)
        report_divergence(list[0], fmt::format("thread {} has already returned, and {} in all",
                                               first_that_left(block), gone));
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

bool open_barriers(Block& block) {
    bool opened = false;
    for (unsigned barrier = 0; barrier < block.expected.size(); ++barrier) {
        const auto list = waiting_at(block, static_cast<int>(barrier));
        if (list.empty()) continue;
        const std::uint32_t expected = block.expected[barrier];
        if (thread_count(list) < (expected != 0 ? expected : block.live_threads())) continue;
        if (expected == 0) check_complete(block, list);
        for (const auto& one : list) one.path->barrier = -1;
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

Mask meet(Warp& warp, const Insn& insn, Mask active, Mask members) {
    const Mask needed = members & warp.live;
    Mask here = active;
    for (const Path& path : warp.paths)
        if (path.rendezvous != 0 && path.pc == insn.pc) here |= path.mask;
    if ((needed & ~here) != 0) {
        Path& path = warp.paths.back();
        path.pc = insn.pc;  // it executes again, with the others, when they have come
        path.rendezvous = members;
        return 0;
    }
    for (Path& path : warp.paths) {
        if (path.rendezvous == 0 || path.pc != insn.pc) continue;
        path.rendezvous = 0;
        ++path.pc;
    }
    return here;
}

bool retry_meetings(Warp& warp) {
    for (Path& path : warp.paths) {
        if (path.rendezvous == 0) continue;
        Mask here = 0;
        for (const Path& other : warp.paths)
            if (other.rendezvous != 0 && other.pc == path.pc) here |= other.mask;
        if ((path.rendezvous & warp.live & ~here) != 0) continue;
        path.rendezvous = 0;
        return true;
    }
    return false;
}

}  // namespace vgpu
