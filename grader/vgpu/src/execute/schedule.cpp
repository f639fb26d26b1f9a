#include "execute/schedule.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <random>
#include <vector>

#include "execute/block.h"
#include "execute/block_runner.h"
#include "execute/livelock_detector.h"
#include "execute/stuck.h"

namespace vgpu {
namespace {

using Turn = BlockRunner::Turn;

/// Rounds in which all resident blocks only spin, after which others are started: those may be the
/// ones that they wait for. On a GPU they would run already.
constexpr int kPatience = 4;

/// Blocks that take turns from the start where the order is not the usual one, and they may change
/// what others read; else one after the other shows more. Chosen.
constexpr std::size_t kInterleaved = 4;

/// A permutation of the numbers below `count`: i -> (i * step + first) mod count goes through all,
/// if step and count have no divisor in common.
struct Permutation {
    std::uint64_t count, step = 1, first = 0;

    /// Another than the usual order, if there is one. What is right only as block 0 is the first,
    /// or the last one the last, is to show.
    static Permutation random(std::uint64_t count, std::mt19937_64& random) {
        Permutation it{count};
        if (count < 2) return it;
        do {
            it.step = 1 + random() % (count - 1);
            it.first = 1 + random() % (count - 1);
        } while (std::gcd(it.step, count) != 1 || it[count - 1] == count - 1 ||
                 (count > 3 && it.step == 1));
        return it;
    }
    std::uint64_t operator[](std::uint64_t i) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((Wide{i} * step + first) % count);
    }
};

/// The grid's blocks in the order in which they start. GPUs start them by their numbers, as far as
/// they have room, and CUB's scans rely on it: a block waits for those before it. So only as many
/// change places as may be there at once.
class Order {
public:
    Order(std::uint64_t count, std::uint64_t most_at_once, std::uint64_t seed) {
        const std::uint64_t parts =
            count == 0 ? 1 : (count - 1) / std::max<std::uint64_t>(1, most_at_once) + 1;
        part_ = std::max<std::uint64_t>(1, (count + parts - 1) / parts);
        whole_parts_ = count / part_;
        in_part_.count = part_;
        in_last_.count = std::max<std::uint64_t>(1, count % part_);
        if (seed == 0) return;
        std::mt19937_64 random(seed);
        in_part_ = Permutation::random(in_part_.count, random);
        in_last_ = Permutation::random(in_last_.count, random);
    }
    std::uint64_t operator[](std::uint64_t i) const {
        const Permutation& order = i / part_ < whole_parts_ ? in_part_ : in_last_;
        return i / part_ * part_ + order[i % part_];
    }

private:
    std::uint64_t part_, whole_parts_;
    Permutation in_part_{1}, in_last_{1};
};

/// Blocks that are on the GPU at once, taking turns.
class Residents {
public:
    explicit Residents(Execution& execution)
        : execution_(execution),
          livelock_(execution),
          count_(block_count(execution.launch)),
          order_(count_, execution.launch.cooperative ? count_ : execution.launch.most_resident,
                 execution.options.seed),
          owner_(execution.pages.owners.first),
          end_(owner_ + static_cast<std::uint32_t>(std::min<std::uint64_t>(count_, kOwners / 2))) {}

    void run() {
        if (execution_.launch.cooperative)
            while (next_ < count_) start_another();
        if (execution_.options.seed != 0 && loads_what_others_change())
            while (may_start() && resident_.size() < kInterleaved) start_another();
        for (int patience = kPatience; next_ < count_ || !resident_.empty();) {
            if (resident_.empty()) start_another();
            const Turn turn = run_round();
            if (turn == Turn::stop) return;
            if (turn != Turn::spun)
                livelock_.moved();
            else if (livelock_.spun() && is_stuck())
                return;
            patience = turn == Turn::spun ? patience - 1 : kPatience;
            if (patience > 0) continue;
            // As many more: where all wait for all, each turn of those that wait is in vain.
            for (std::size_t more = resident_.size(); more > 0 && may_start(); --more)
                start_another();
            patience = 1;
        }
    }

private:
    /// Then its warps are interrupted there: run_interleaved().
    bool loads_what_others_change() const {
        const auto& code = execution_.image.code;
        return std::any_of(code.begin(), code.end(), [](const Insn& insn) {
            return insn.strong && insn.kind == Kind::load && insn.space != Space::shared;
        });
    }

    bool may_start() const {
        return next_ < count_ && resident_.size() < execution_.launch.most_resident;
    }

    void start_another() {
        if (free_.empty()) free_.push_back(std::make_unique<BlockRunner>(execution_));
        resident_.push_back(std::move(free_.back()));
        free_.pop_back();
        const std::uint64_t number = order_[next_++];
        if (execution_.launch.want_writers) execution_.started.push_back(number);
        resident_.back()->start(number, next_owner());
        tell();
    }

    void tell() {
        execution_.blocks_at_once = resident_.size();
        execution_.blocks_to_come = count_ - next_;
    }

    std::uint32_t next_owner() {
        if (owner_ ==
            end_) {  // more blocks than were claimed for: the others' shadow words are dropped
            execution_.pages.owners = execution_.memory.claim_owners(kOwners / 2);
            owner_ = execution_.pages.owners.first;
            end_ = owner_ + kOwners / 2;
        }
        return owner_++;
    }

    /// Whether the launch can never end; reports why.
    bool is_stuck() {
        std::vector<BlockRunner*> runners;
        std::vector<Block*> blocks;
        for (const auto& runner : resident_) {
            runners.push_back(runner.get());
            blocks.push_back(&runner->block());
        }
        using Verdict = LivelockDetector::Verdict;
        const Verdict verdict = livelock_.look(runners, may_start());
        if (verdict == Verdict::goes_on) return false;
        if (release_all_early(blocks)) {
            livelock_.moved();
            return false;
        }
        if (verdict == Verdict::endless) report_endless(blocks);
        if (verdict == Verdict::livelock)
            report_livelock(blocks, next_ - blocks.size(), count_ - next_);
        if (verdict == Verdict::waits_for_host) report_wait_for_host(blocks);
        return true;
    }

    /// Lanes that wait behind a loop for those in it may be what these wait for.
    static bool release_all_early(std::span<Block* const> blocks) {
        bool released = false;
        for (Block* const block : blocks)
            for (Warp& warp : block->warps) released = release_early(warp.paths) || released;
        return released;
    }

    /// spun when no block got anywhere.
    Turn run_round() {
        Turn round = Turn::spun;
        for (std::size_t i = 0; i < resident_.size();) {
            const Turn turn = resident_[i]->turn();
            if (turn == Turn::stop) return turn;
            if (turn != Turn::spun) round = Turn::went_on;
            if (turn == Turn::ended) {
                free_.push_back(std::move(resident_[i]));
                resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
                tell();
            } else {
                ++i;
            }
        }
        return round;
    }

    Execution& execution_;
    LivelockDetector livelock_;
    std::uint64_t count_, next_ = 0;
    Order order_;
    std::uint32_t owner_, end_;
    std::vector<std::unique_ptr<BlockRunner>> resident_, free_;
};

}  // namespace

std::uint64_t block_count(const Launch& launch) {
    return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

void run_in_order(Execution& execution) {
    Residents(execution).run();
}

bool run_in_parallel(Workers& workers, std::span<const std::unique_ptr<Execution>> executions) {
    const std::uint64_t count = block_count(executions[0]->launch);
    std::atomic<std::uint64_t> next = 0, executed = 0;
    std::atomic<bool> doubtful = false;
    std::exception_ptr failure;
    std::mutex failing;
    workers.run([&](unsigned worker) {
        Execution& execution = *executions[worker];
        try {
            BlockRunner runner(execution);
            while (!doubtful) {
                const std::uint64_t number = next++;
                if (number >= count) return;
                const std::uint64_t before = execution.executed;
                runner.start(number,
                             execution.pages.owners.first + static_cast<std::uint32_t>(number));
                LivelockDetector livelock(execution);
                BlockRunner* const self = &runner;
                Turn turn = Turn::went_on;
                while (turn == Turn::went_on || turn == Turn::spun) {
                    turn = runner.turn();
                    if (turn == Turn::went_on) livelock.moved();
                    // Others may change what it reads, but not that it is endless.
                    if (turn == Turn::spun && livelock.spun() &&
                        livelock.look({&self, 1}, true) != LivelockDetector::Verdict::goes_on)
                        turn = Turn::stop;
                    if (doubtful) return;
                }
                executed += execution.executed - before;
                if (turn == Turn::stop || execution.suspects.any() || !execution.findings.empty() ||
                    executed > execution.limit)
                    doubtful = true;
            }
        } catch (...) {
            const std::lock_guard lock(failing);
            failure = std::current_exception();
            doubtful = true;
        }
    });
    if (failure) std::rethrow_exception(failure);
    return !doubtful;
}

}  // namespace vgpu
