#include "execute/livelock_detector.h"

#include <algorithm>
#include <thread>

#include "decode/loops.h"
#include "execute/block.h"
#include "execute/polled_memory.h"
#include "memory/page_fingerprint.h"

namespace vgpu {
namespace {

/// A loop whose turns end at different places comes back to the first after a few rounds; chosen.
constexpr std::uint64_t kRoundsToCompare = 4;

/// Reads of one place in the host's memory after which a kernel waits for the host, and for how
/// long another thread of the host may still answer. Chosen: on a GPU, so many take a tenth of a
/// second.
constexpr std::uint64_t kReadsToWait = 1 << 17;
constexpr std::chrono::milliseconds kHostPatience{2000}, kHostPause{10};

/// Accesses so far of the instructions that `counts` accepts.
template <class Counts>
std::uint64_t accesses_by(const Execution& execution, Counts counts) {
    std::uint64_t sum = 0;
    for (const Insn& insn : execution.image.code) {
        if (!counts(insn)) continue;
        const Tally& tally = execution.tallies[insn.pc];
        sum += tally.global_lanes + tally.shared_lanes + tally.local_requests;
    }
    return sum;
}

std::uint64_t instructions_in(const Execution& execution, const Image::Loop& loop) {
    std::uint64_t sum = 0;
    for (std::uint32_t pc = loop.begin; pc < loop.end; ++pc)
        sum += execution.tallies[pc].starts * execution.image.code[pc].stretch;
    return sum;
}

/// A clock moves on by large steps, so that a thread may read the same time again.
std::uint64_t clock_reads(const Execution& execution, std::size_t begin, std::size_t end) {
    std::uint64_t sum = 0;
    for (std::size_t pc = begin; pc < end; ++pc) {
        const bool is_read = execution.image.code[pc].kind == Kind::pause &&
                             execution.image.instructions[pc]->opcode == "mov";
        if (is_read) sum += execution.tallies[pc].starts;
    }
    return sum;
}

/// The loops that threads run in, each once. Nothing where one runs in none that has a slice, or
/// where two overlap: then they may go from one to the other.
std::vector<const Image::Loop*> loops_of(const Image& image, std::span<BlockRunner* const> blocks) {
    std::vector<const Image::Loop*> loops;
    bool has_other = false;
    for (BlockRunner* const block : blocks)
        for (const Warp& warp : block->block().warps)
            each_running(warp.paths, [&](const Path& path) {
                const Image::Loop* const loop = longest_loop(image, path.pc);
                has_other = has_other || !loop;
                if (loop && std::find(loops.begin(), loops.end(), loop) == loops.end())
                    loops.push_back(loop);
            });
    std::sort(loops.begin(), loops.end(),
              [](const auto* a, const auto* b) { return a->begin < b->begin; });
    const auto overlap = std::adjacent_find(
        loops.begin(), loops.end(), [](const auto* a, const auto* b) { return b->begin < a->end; });
    if (has_other || overlap != loops.end()) loops.clear();
    return loops;
}

}  // namespace

LivelockDetector::Moment LivelockDetector::moment(std::span<BlockRunner* const> blocks) const {
    Moment moment;
    moment.loops = loops_of(execution_.image, blocks);
    const bool is_sliced = !moment.loops.empty();
    for (BlockRunner* const block : blocks)
        moment.state = moment.state * 31 + block->fingerprint(is_sliced);
    moment.reads = accesses_by(execution_, [](const Insn& insn) {
        return insn.kind == Kind::load || insn.kind == Kind::atomic || insn.kind == Kind::pause;
    });
    moment.changes = execution_.atomic_changes + accesses_by(execution_, [](const Insn& insn) {
                         return insn.kind == Kind::store || insn.kind == Kind::copy;
                     });
    if (!is_sliced) {
        moment.clocks = clock_reads(execution_, 0, execution_.image.code.size());
        moment.may_read = !before_ || moment.reads != before_->reads;
        return moment;
    }
    moment.elsewhere = execution_.executed;
    for (const Image::Loop* const loop : moment.loops) {
        moment.elsewhere -= instructions_in(execution_, *loop);
        moment.may_read = moment.may_read || loop->reads_memory;
        if (loop->reads_clock) moment.clocks += clock_reads(execution_, loop->begin, loop->end);
    }
    return moment;
}

LivelockDetector::Verdict LivelockDetector::compare(const Moment& now,
                                                    bool others_may_start) const {
    if (now.state != before_->state || now.loops != before_->loops ||
        now.elsewhere != before_->elsewhere || now.clocks != before_->clocks)
        return Verdict::goes_on;
    if (!now.may_read) return Verdict::endless;
    const bool is_certain = now.changes == before_->changes && !others_may_start &&
                            touched_since(execution_.memory, execution_.pages.run).has_value();
    return is_certain ? Verdict::livelock : Verdict::goes_on;
}

/// Whether all threads have only read for long, and some of them memory of the host.
bool LivelockDetector::waits_for_host(const Moment& now, std::span<BlockRunner* const> blocks) {
    const bool only_reads = !now.loops.empty() && now.loops == before_->loops &&
                            now.elsewhere == before_->elsewhere && now.changes == before_->changes;
    if (!only_reads || now.reads - before_->reads < kReadsToWait) return false;
    bool is_of_host = false;
    for (BlockRunner* const block : blocks)
        for (const Warp& warp : block->block().warps)
            each_running(warp.paths, [&](const Path& path) {
                const auto lane = static_cast<unsigned>(__builtin_ctz(path.mask));
                is_of_host = is_of_host || polled_memory(warp, path.pc, lane).of_host;
            });
    return is_of_host;
}

void LivelockDetector::moved() {
    rounds_ = 0;
    watched_since_.reset();
}

LivelockDetector::Verdict LivelockDetector::look(std::span<BlockRunner* const> blocks,
                                                 bool others_may_start) {
    if (watched_since_) {
        // Seldom, so that a loop of many tries does not give up before the host has had its time.
        std::this_thread::sleep_for(kHostPause);
        if (!waits_for_host(moment(blocks), blocks)) {
            watched_since_.reset();
        } else if (std::chrono::steady_clock::now() - *watched_since_ > kHostPatience) {
            return Verdict::waits_for_host;
        }
        return Verdict::goes_on;
    }
    Moment now = moment(blocks);
    if (rounds_ > look_at_) {
        const Verdict verdict = compare(now, others_may_start);
        if (rounds_ >= look_at_ + kRoundsToCompare) look_at_ *= 4;  // looking takes time
        return verdict;
    }
    if (before_ && !others_may_start && waits_for_host(now, blocks))
        watched_since_ = std::chrono::steady_clock::now();
    else
        before_ = std::move(now);
    return Verdict::goes_on;
}

}  // namespace vgpu
