#include "device/launch_runner.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "device/touched_words.h"
#include "execute/block.h"
#include "execute/recorder.h"
#include "execute/schedule.h"
#include "execute/unset_values.h"
#include "profile/l2_reuse.h"
#include "profile/latency.h"
#include "race/happens_before_checker.h"
#include "race/shadow_word.h"

namespace vgpu {
namespace {

/// Fewer warps than this are not worth waking another thread; chosen.
constexpr std::uint64_t kWarpsToShare = 256;

/// How much longer than until its first fault a launch is watched for what caused that; chosen.
constexpr std::uint64_t kLongerPastFault = 4, kAtLeast = 1 << 20;

class LaunchRunner {
public:
    LaunchRunner(const Image& image, LatencyTable& latencies, const Launch& launch,
                 DeviceMemory& memory, Undo& undo, const Options& options, Workers& workers,
                 Address grid_workspace, std::optional<std::size_t> most_pages,
                 std::optional<Effects>& effects)
        : image_(image),
          latencies_(latencies),
          launch_(launch),
          memory_(memory),
          undo_(undo),
          options_(options),
          workers_(workers),
          grid_workspace_(grid_workspace),
          most_pages_(most_pages),
          effects_(effects) {}

    LaunchResult run() {
        if (can_share() && run_side_by_side()) return std::move(result_);
        auto execution = begin(next_run());
        execution->is_traced = launch_.trace != nullptr;
        Recorder only_run(image_, launch_, options_.seed);
        if (wants_recordings() && !can_undo()) execution->recorder = &only_run;
        run_in_order(*execution);
        note_touched(*execution);
        std::vector<Finding> causes;
        if (can_undo()) {
            UnsetValues unset;
            if (execution->findings.any_of(reads_unset)) unset_ = &unset;
            if (execution->outcome == Outcome::ok && !execution->suspects.words().empty()) {
                const std::vector<Suspect> suspects = execution->suspects.words();
                undo_.restore();
                execution = watch(suspects, nullptr);
            } else if (is_fault(execution->outcome)) {
                causes = races_behind_fault(execution->executed);
                undo_.restore();
                execution = begin(next_run());
                run_in_order(*execution);
            } else if (unset_) {
                undo_.restore();
                execution = begin(next_run());
                run_in_order(*execution);
            }
            execution->unset = unset_ = nullptr;
        }
        take(*execution, std::move(causes));
        if (execution->recorder && is_worth_recording())
            result_.recordings.push_back(only_run.take(result_.findings));
        finish();
        return std::move(result_);
    }

private:
    void finish() {
        if (wants_recordings() && can_undo() && is_worth_recording()) record();
        look_for_effects();
        undo_.forget();
    }

    bool wants_recordings() const { return launch_.recordings != Launch::Recordings::none; }
    bool is_worth_recording() const {
        return launch_.recordings == Launch::Recordings::always || !result_.findings.empty();
    }

    /// Runs the launch as far as it is recorded; it leaves memory as it comes.
    Recording recorded(std::uint64_t seed) {
        undo_.restore();
        Options options = options_;
        options.seed = seed;
        options.warp_instruction_limit =
            std::min(options.warp_instruction_limit, Recording::kMostInstructions);
        const auto execution = begin(next_run(), options);
        Recorder recorder(image_, launch_, seed);
        execution->recorder = &recorder;
        execution->ends_with_recording = true;
        run_in_order(*execution);
        return recorder.take(result_.findings);
    }

    void record() {
        constexpr std::uint64_t kTries = 4;  // two warps are in the same order every other time
        result_.recordings.push_back(recorded(options_.seed));
        const Dim3 &grid = launch_.grid, &block = launch_.block;
        const bool is_one_warp =
            grid.x * grid.y * grid.z == 1 && block.x * block.y * block.z <= kWarpSize;
        for (std::uint64_t seed = options_.seed + 1; !is_one_warp && seed <= options_.seed + kTries;
             ++seed) {
            Recording other = recorded(seed);
            if (is_in_order_of(other, result_.recordings.front())) continue;
            result_.recordings.push_back(std::move(other));
            break;
        }
        run_once_more();
    }

    /// Leaves memory as the launch did.
    void run_once_more() {
        undo_.restore();
        // After an endless kernel nobody reads it.
        if (result_.outcome != Outcome::launch_timeout) run_in_order(*begin(next_run()));
    }

    static bool is_in_order_of(const Recording& a, const Recording& b) {
        return std::ranges::equal(a.steps, b.steps,
                                  [](const RecordedStep& x, const RecordedStep& y) {
                                      return x.block == y.block && x.warp == y.warp;
                                  });
    }

    static bool is_fault(Outcome outcome) {
        return outcome == Outcome::illegal_address || outcome == Outcome::misaligned_address;
    }

    /// A read of memory that a block or a thread has to write itself: UnsetValues knows whether it
    /// matters.
    static bool reads_unset(const Finding& finding) {
        return finding.check == Check::uninitialized_read && finding.space != Space::global;
    }

    /// Runs with a HappensBeforeChecker. `outlives`: a run whose lanes with bad accesses ended
    /// alone, as they do again; only races where their warps read are looked for.
    std::unique_ptr<Execution> watch(const std::vector<Suspect>& suspects,
                                     const Execution* outlives) {
        auto execution = begin(next_run());
        HappensBeforeChecker checker(
            {image_, launch_.block, memory_, execution->findings, execution->pages.run,
             outlives ? &outlives->faulted : nullptr},
            suspects);
        execution->checker = &checker;
        if (outlives) outlive_faults(*execution, outlives->limit);
        run_in_order(*execution);
        checker.finish();
        execution->checker = nullptr;
        return execution;
    }

    static void outlive_faults(Execution& execution, std::uint64_t limit) {
        execution.outlives_faults = true;
        execution.limit = limit;
    }

    /// A bad index or pointer may have been read too early: before another thread wrote it, which
    /// the launch did not live to see. So all lanes but those with bad accesses run on.
    std::vector<Finding> races_behind_fault(std::uint64_t executed) {
        undo_.restore();
        const auto others = begin(next_run());
        outlive_faults(*others, std::min(others->limit, kLongerPastFault * executed + kAtLeast));
        run_in_order(*others);
        if (others->suspects.words().empty()) return {};
        undo_.restore();
        std::vector<Finding> races = watch(others->suspects.words(), others.get())->findings.take();
        std::erase_if(races, [](const Finding& f) { return f.check != Check::race; });
        return races;
    }

    bool can_undo() const { return !image_.allocates; }

    bool can_share() const {
        const Dim3& block = launch_.block;
        const std::uint64_t warps = (std::uint64_t{block.x} * block.y * block.z + 31) / 32;
        const std::uint64_t blocks = block_count(launch_);
        return workers_.count() > 1 && !launch_.cooperative && !launch_.trace &&
               !image_.depends_on_order && !image_.allocates && blocks > 1 &&
               blocks <= kOwners / 2 && blocks * warps >= kWarpsToShare;
    }

    /// More blocks than that claim more when they come.
    std::uint32_t owners_needed() const {
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(block_count(launch_), kOwners / 2));
    }

    /// What the workers of one attempt have in common.
    struct Run {
        std::uint32_t number;
        DeviceMemory::Owners owners;
    };
    Run next_run() {
        const Run run{memory_.next_run(), memory_.claim_owners(owners_needed())};
        if (first_run_ == 0) first_run_ = run.number;
        return run;
    }

    std::unique_ptr<Execution> begin(const Run& run) { return begin(run, options_); }
    /// `options` must outlive it.
    std::unique_ptr<Execution> begin(const Run& run, const Options& options) {
        auto execution = std::make_unique<Execution>(image_, launch_, memory_, options);
        execution->pages.run = run.number;
        execution->pages.owners = run.owners;
        execution->grid_workspace = grid_workspace_;
        if (can_undo()) execution->pages.undo = &undo_;
        if (unset_) *unset_ = {};
        execution->unset = unset_;
        return execution;
    }

    bool run_side_by_side() {
        const Run run = next_run();
        std::vector<std::unique_ptr<Execution>> executions;
        for (unsigned i = 0; i < workers_.count(); ++i) {
            executions.push_back(begin(run));
            executions.back()->pages.is_parallel = true;
        }
        if (!run_in_parallel(workers_, executions)) {
            undo_.restore();
            return false;
        }
        for (std::size_t i = 1; i < executions.size(); ++i) add(*executions[0], *executions[i]);
        note_touched(*executions[0]);
        take(*executions[0]);
        finish();
        return true;
    }

    static void add(Execution& sum, const Execution& other) {
        for (std::size_t pc = 0; pc < sum.tallies.size(); ++pc)
            sum.tallies[pc] += other.tallies[pc];
        sum.atomics.merge(other.atomics);
        sum.uncached_loads.merge(other.uncached_loads);
        sum.l1_reuse.first += other.l1_reuse.first;
        for (std::size_t k = 0; k < sum.l1_reuse.again.size(); ++k)
            sum.l1_reuse.again[k] += other.l1_reuse.again[k];
        sum.warp_time += other.warp_time;
        sum.block_time += other.block_time;
        sum.waited += other.waited;
    }

    /// `causes`: findings that come before the execution's own.
    void take(Execution& execution, std::vector<Finding> causes = {}) {
        result_.outcome = execution.outcome;
        result_.counts = counts_of(image_, execution.tallies);
        if (launch_.want_lines) result_.lines = lines_of(image_, execution.tallies);
        result_.hottest_atomic = execution.atomics.hottest();
        if (result_.hottest_atomic)
            if (const Region* region = memory_.find(result_.hottest_atomic->address))
                result_.hottest_atomic->allocation = region->allocation();
        if (const auto hottest = execution.uncached_loads.hottest())
            result_.hottest_uncached_loads = hottest->operations;
        result_.warp_time = execution.warp_time;
        result_.block_time = execution.block_time;
        result_.waited_cycles = execution.waited;
        const Latency latency = latencies_.of(image_, execution.tallies);
        result_.far_cycles = latency.far_cycles;
        result_.near_cycles = latency.near_cycles;
        result_.states = latency.states;
        result_.findings = std::move(causes);
        for (Finding& finding : execution.findings.take())
            result_.findings.push_back(std::move(finding));
        drop_consequences(result_.findings);
        auto [printed, lost_bytes] = execution.printed.take();
        result_.printed = std::move(printed);
        result_.lost_printed_bytes = lost_bytes;
    }

    /// A read that comes too early because nothing orders it: the race says it better than "never
    /// written".
    static void drop_consequences(std::vector<Finding>& findings) {
        std::vector<std::pair<Space, SourceLine>> races;
        for (const Finding& race : findings) {
            if (race.check != Check::race) continue;
            races.emplace_back(race.space, race.where);
            races.emplace_back(race.space, race.other->where);
        }
        std::erase_if(findings, [&](const Finding& f) {
            return f.check == Check::uninitialized_read &&
                   std::find(races.begin(), races.end(), std::pair(f.space, f.where)) !=
                       races.end();
        });
    }

    void look_for_effects() {
        // Without a copy of what was there, all that was touched may have changed.
        if (!can_undo()) return renumber_touched(memory_, first_run_);
        if (!most_pages_ || result_.outcome != Outcome::ok) return undo_.renumber(memory_);
        auto before = touched_since(memory_, first_run_);
        if (!before) return undo_.renumber(memory_);
        auto changes = undo_.changes(*most_pages_, memory_);
        if (changes) effects_ = Effects{std::move(*before), std::move(*changes)};
    }

    void note_touched(const Execution& execution) {
        result_.l1_reuse = execution.l1_reuse;
        if (launch_.want_footprint) result_.footprint = footprint(memory_, execution);
        if (launch_.want_writers) result_.writers = writers(memory_, execution);
        memory_.each_with_shadow([&](const Region& region) {
            for (std::uint64_t at = 0; at < region.size_bytes; at += kPageBytes) {
                const std::uint64_t page = at / kPageBytes;
                if (region.pages[page].touched != execution.pages.run) continue;
                if (is_sampled(page)) add_visits(result_.revisits, region.visits, page);
                result_.touched_bytes += std::min(kPageBytes, region.size_bytes - at);
            }
        });
    }

    const Image& image_;
    LatencyTable& latencies_;
    const Launch& launch_;
    DeviceMemory& memory_;
    Undo& undo_;
    const Options& options_;
    Workers& workers_;
    const Address grid_workspace_;
    const std::optional<std::size_t> most_pages_;
    std::optional<Effects>& effects_;
    std::uint32_t first_run_ = 0;   ///< the number of the first attempt
    UnsetValues* unset_ = nullptr;  ///< for attempts after the first, if that read any
    LaunchResult result_;
};

}  // namespace

LaunchResult run_launch(const Image& image, LatencyTable& latencies, const Launch& launch,
                        DeviceMemory& memory, Undo& undo, const Options& options, Workers& workers,
                        Address grid_workspace, std::optional<std::size_t> most_pages,
                        std::optional<Effects>& effects) {
    return LaunchRunner(image, latencies, launch, memory, undo, options, workers, grid_workspace,
                        most_pages, effects)
        .run();
}

}  // namespace vgpu
