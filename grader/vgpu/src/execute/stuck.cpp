#include "execute/stuck.h"

#include <algorithm>
#include <map>
#include <utility>

#include "decode/cas_loops.h"
#include "execute/block.h"
#include "execute/execution.h"
#include "execute/polled_memory.h"

namespace vgpu {
namespace {

int source_line_of(const Warp& warp, std::uint32_t pc) {
    return where_is(warp, pc).line;
}

unsigned lowest_lane(Mask mask) {
    return static_cast<unsigned>(__builtin_ctz(mask));
}

/// Collects numbers by the place at which each is.
class Groups {
public:
    void add(cause::Group::Doing doing, int line, std::uint64_t number) {
        auto& numbers = numbers_[{doing, line}];
        if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    }
    std::vector<cause::Group> take() {
        std::vector<cause::Group> groups;
        for (auto& [place, numbers] : numbers_) {
            std::sort(numbers.begin(), numbers.end());
            groups.push_back({place.first, place.second, runs(numbers)});
        }
        return groups;
    }

private:
    using Runs = decltype(cause::Group::numbers);

    static Runs runs(const std::vector<std::uint64_t>& numbers) {
        Runs runs;
        for (const std::uint64_t number : numbers) {
            if (runs.empty() || runs.back().second + 1 != number)
                runs.emplace_back(number, number);
            else
                runs.back().second = number;
        }
        return runs;
    }

    std::map<std::pair<cause::Group::Doing, int>, std::vector<std::uint64_t>> numbers_;
};

/// A warp that runs, and where.
struct Runner {
    const Warp* warp = nullptr;
    const Path* path = nullptr;
    unsigned lane() const { return lowest_lane(path->mask); }
    const Insn& insn() const { return warp->execution->image.code[path->pc]; }
};
template <class Accepts>
Runner first_runner(std::span<Block* const> blocks, Accepts accepts) {
    Runner first;
    for (const Block* const block : blocks)
        for (const Warp& warp : block->warps)
            each_running(warp.paths, [&](const Path& path) {
                if (!first.warp && accepts(warp, path)) first = {&warp, &path};
            });
    return first;
}
constexpr auto kAnyPath = [](const Warp&, const Path&) { return true; };

}  // namespace

void report_endless(const Warp& warp, const Path& path, bool is_certain) {
    const Execution& e = *warp.execution;
    const Runner it{&warp, &path};
    Finding finding = finding_at(warp, it.insn(), Check::instruction_limit, it.lane());
    const bool is_full = e.blocks_at_once >= e.launch.most_resident;
    finding.cause = cause::Endless{is_certain ? e.executed : e.options.warp_instruction_limit,
                                   is_certain,
                                   warp_positions(*warp.block),
                                   polled_memory(warp, path.pc, it.lane()).of_host,
                                   failing_cas(e.image, warp, path.pc, it.lane()),
                                   e.blocks_at_once,
                                   is_full ? e.blocks_to_come : 0};
    report(warp, std::move(finding), it.lane());
    warp.execution->outcome = Outcome::launch_timeout;
}

void report_endless(std::span<Block* const> left) {
    const Runner first = first_runner(left, kAnyPath);
    if (first.warp) report_endless(*first.warp, *first.path, true);
}

void report_livelock(std::span<Block* const> left, std::uint64_t ended, std::uint64_t to_come) {
    const Runner first = first_runner(left, kAnyPath);
    if (!first.warp) return;
    const Image& image = first.warp->execution->image;
    // That is no waiting, but trying.
    if (failing_cas(image, *first.warp, first.path->pc, first.lane()))
        return report_endless(*first.warp, *first.path, true);
    Groups blocks_at;
    for (const Block* const block : left)
        for (const Warp& warp : block->warps)
            each_running(warp.paths, [&](const Path& path) {
                blocks_at.add(cause::Group::Doing::running, source_line_of(warp, path.pc),
                              block->number);
            });
    Finding finding = finding_at(*first.warp, first.insn(), Check::deadlock, first.lane());
    const bool is_alone = left.size() == 1 && ended + to_come == 0;
    finding.cause =
        cause::StuckGrid{left.size(),
                         to_come,
                         ended,
                         is_alone ? std::vector<cause::Group>() : blocks_at.take(),
                         is_alone ? warp_positions(*left[0]) : std::vector<cause::Group>(),
                         polled_memory(*first.warp, first.path->pc, first.lane()).flag};
    report(*first.warp, std::move(finding), first.lane());
    first.warp->execution->outcome = Outcome::deadlock;
}

void report_wait_for_host(std::span<Block* const> left) {
    std::optional<Allocation> flag;
    const Runner first = first_runner(left, [&](const Warp& warp, const Path& path) {
        flag = polled_memory(warp, path.pc, lowest_lane(path.mask)).of_host;
        return flag.has_value();
    });
    if (!first.warp) return;
    Finding finding = finding_at(*first.warp, first.insn(), Check::unsupported, first.lane());
    finding.cause = cause::WaitsForHost{*flag};
    report(*first.warp, std::move(finding), first.lane());
    first.warp->execution->outcome = Outcome::waits_for_host;
}

std::vector<cause::Group> warp_positions(const Block& block) {
    if (block.warps.size() == 1) return {};
    // By place, so that thirty warps that wait together take one line.
    using Doing = cause::Group::Doing;
    Groups warps_at;
    for (const Warp& warp : block.warps) {
        for (const Path& path : warp.paths) {
            const bool is_leaf =
                std::all_of(warp.paths.begin(), warp.paths.end(), [&](const Path& other) {
                    return &other <= &path || (other.mask & path.mask) == 0;
                });
            if (!is_leaf) continue;
            const bool is_at_barrier = path.barrier >= 0;
            warps_at.add(is_at_barrier  ? Doing::at_barrier
                         : path.waits() ? Doing::at_warp_barrier
                                        : Doing::running,
                         source_line_of(warp, is_at_barrier ? path.pc - 1 : path.pc), warp.index);
        }
    }
    return warps_at.take();
}

namespace {

/// A thread that is not where `path` waits: at no barrier, or at another one.
std::optional<Dim3> first_elsewhere(const Block& block, const Path& path) {
    for (const Warp& warp : block.warps) {
        Mask here = 0;
        for (const Path& p : warp.paths)
            if (p.waits() && p.pc == path.pc) here |= p.mask;
        if (const Mask elsewhere = warp.live & ~here; elsewhere != 0)
            return thread_of(warp, lowest_lane(elsewhere));
    }
    return std::nullopt;
}

struct StuckPath {
    const Warp* warp = nullptr;
    const Path* path = nullptr;
    std::uint32_t pc() const { return path->barrier >= 0 ? path->pc - 1 : path->pc; }
};

}  // namespace

void report_deadlock(const Block& block) {
    const auto first_that_waits = [&](auto is_it) -> StuckPath {
        for (const Warp& warp : block.warps)
            for (const Path& path : warp.paths)
                if (path.waits() && is_it(warp, path)) return {&warp, &path};
        return {};
    };
    // Lanes that wait for others of their own warp keep the block from meeting at its barrier:
    // theirs is the line to fix.
    const auto waits_for_lanes = [](const Warp& warp, const Path& path) {
        return path.barrier < 0 && (path.sync_lanes & warp.live & ~path.mask) != 0;
    };
    StuckPath at = first_that_waits(waits_for_lanes);
    const bool is_for_lanes = at.path != nullptr;
    if (!is_for_lanes) at = first_that_waits([](const Warp&, const Path&) { return true; });
    if (at.path == nullptr) return;
    const std::optional<Dim3> elsewhere = first_elsewhere(block, *at.path);
    const bool is_divergence = at.path->barrier >= 0 && elsewhere.has_value();
    const Insn& insn = at.warp->execution->image.code[at.pc()];
    const unsigned lane = lowest_lane(at.path->mask);
    Finding finding = finding_at(*at.warp, insn,
                                 is_divergence ? Check::barrier_divergence : Check::deadlock, lane);
    finding.cause =
        cause::Stuck{is_for_lanes, is_divergence ? elsewhere : std::nullopt, warp_positions(block)};
    report(*at.warp, std::move(finding), lane);
    at.warp->execution->outcome = Outcome::deadlock;
}

}  // namespace vgpu
