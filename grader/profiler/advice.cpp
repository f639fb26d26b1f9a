#include "profiler/advice.h"
#include "base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "profiler/numbers.h"
#include "profiler/parts.h"

namespace lab {

using profiles::kLanes;
using profiles::ratio;
using profiles::real;
using vgpu::Counts;
using vgpu::WarpState;
using vgpu::model::Gpu;
using vgpu::model::KernelCost;
using vgpu::model::KernelWork;

namespace {

constexpr double kSectorBytes = vgpu::model::kSectorBytes;
// What gains less is not worth a beginner's evening (chosen).
constexpr double kWorthwhile = 1.05;
// A kernel that spends this share of its time at a limit is at it (chosen).
constexpr double kAtLimit = 0.75;

std::uint64_t whole(double count) {
    return static_cast<std::uint64_t>(std::llround(std::max(0.0, count)));
}

/// Asks the model for the time after a change.
class WhatIf {
public:
    WhatIf(const KernelProfile& profile, const Gpu& gpu) : profile_(profile), gpu_(gpu) {}

    double speedup(const std::function<void(KernelWork&)>& change) const {
        KernelWork work = profile_.work;
        change(work);
        return ratio(profile_.cost.seconds(), cost_of(gpu_, work).seconds());
    }
    const KernelProfile& profile() const { return profile_; }
    const Gpu& gpu() const { return gpu_; }
    const Counts& counts() const { return profile_.counts(); }
    double share(double KernelCost::*part) const {
        return ratio(profile_.cost.*part, profile_.cost.seconds());
    }
    bool is_longest(double KernelCost::*part) const {
        return profiles::longest_part(profile_.cost).time_s == part;
    }
    /// The line that has most of a count; line 0 where none has any.
    vgpu::SourceLine line_with_most(std::uint64_t vgpu::LineCounts::*count) const {
        const auto most = std::ranges::max_element(profile_.all.lines, {}, count);
        if (most == profile_.all.lines.end() || (*most).*count == 0) return {};
        return most->where;
    }

private:
    const KernelProfile& profile_;
    const Gpu& gpu_;
};

/// Sectors, if each were used in full.
double least_sectors(double sectors, double bytes) {
    return std::min(sectors, std::ceil(bytes / kSectorBytes));
}

void coalescing(const WhatIf& model, std::vector<Advice>& list) {
    const Counts& c = model.counts();
    const double sectors = real(c.global_load_sectors + c.global_store_sectors),
                 requests = real(c.global_load_requests + c.global_store_requests);
    const double loads = least_sectors(real(c.global_load_sectors), real(c.global_load_bytes)),
                 stores = least_sectors(real(c.global_store_sectors), real(c.global_store_bytes));
    constexpr double kWaste = 1.2;
    if (sectors < kWaste * (loads + stores)) return;
    const double speedup = model.speedup([&](KernelWork& work) {
        const auto passes = [](std::uint64_t& count, double share) {
            count = whole(real(count) * share);
        };
        Counts& k = work.counts;
        passes(k.global_load_passes, ratio(loads, real(k.global_load_sectors)));
        passes(k.global_store_passes, ratio(stores, real(k.global_store_sectors)));
        k.global_load_sectors = whole(loads);
        k.global_store_sectors = whole(stores);
        k.scattered_load_sectors = k.scattered_store_sectors = 0;
        work.revisits.loaded_again = work.revisits.stored_again = {};
    });
    list.push_back({"Uncoalesced Global Accesses",
                    fmt::format("A warp's request moves {:.1f} sectors of 32 bytes, and uses {} of "
                                "them. Let neighbouring threads access neighbouring elements.",
                                ratio(sectors, requests), percent_text((loads + stores) / sectors)),
                    speedup, model.line_with_most(&vgpu::LineCounts::global_sectors)});
}

void bank_conflicts(const WhatIf& model, std::vector<Advice>& list) {
    const Counts& c = model.counts();
    const double conflicts = real(c.shared_load_conflicts + c.shared_store_conflicts),
                 wavefronts = real(c.shared_load_wavefronts + c.shared_store_wavefronts),
                 requests = real(c.shared_load_requests + c.shared_store_requests);
    if (conflicts == 0) return;
    list.push_back(
        {"Shared Memory Bank Conflicts",
         fmt::format("A request to shared memory takes {:.1f} wavefronts; {} of all are conflicts. "
                     "Let a warp access neighbouring words; for columns of a tile, make its rows "
                     "one element longer.",
                     ratio(wavefronts, requests), percent_text(ratio(conflicts, wavefronts))),
         model.speedup([](KernelWork& work) {
             Counts& k = work.counts;
             k.shared_load_wavefronts -= k.shared_load_conflicts;
             k.shared_store_wavefronts -= k.shared_store_conflicts;
         }),
         model.line_with_most(&vgpu::LineCounts::shared_wavefronts)});
}

/// As if all lanes of fewer warps did the work.
void fill_warps(KernelWork& work) {
    Counts& k = work.counts;
    const double share = ratio(real(k.thread_instructions), kLanes * real(k.warp_instructions));
    for (std::uint64_t Counts::*count :
         {&Counts::warp_instructions, &Counts::folded, &Counts::folded_alu, &Counts::alu,
          &Counts::fma, &Counts::fp64, &Counts::xu})
        k.*count = whole(share * real(k.*count));
    work.far_cycles *= share;
    work.near_cycles *= share;
}

void idle_lanes(const WhatIf& model, std::vector<Advice>& list) {
    const Counts& c = model.counts();
    const double lanes = ratio(real(c.thread_instructions), real(c.warp_instructions));
    constexpr double kFull = 28;
    if (lanes >= kFull) return;
    const std::uint64_t threads = model.profile().threads_per_block();
    const double speedup = model.speedup(fill_warps);
    if (threads < vgpu::model::kWarpSize) {
        list.push_back({"Block Size",
                        fmt::format("A block has {} of the 32 threads of a warp, and the other "
                                    "lanes do nothing. Use 128 to 512 threads a block.",
                                    threads),
                        speedup,
                        {}});
        return;
    }
    std::uint64_t most = 0;
    vgpu::SourceLine where;
    for (const vgpu::LineCounts& line : model.profile().all.lines) {
        const std::uint64_t idle = 32 * line.warp_instructions - line.thread_instructions;
        if (idle > most && line.where.line > 0) {
            most = idle;
            where = line.where;
        }
    }
    list.push_back(
        {"Thread Divergence",
         fmt::format(
             "On average {:.0f} of a warp's 32 lanes work; the others wait. Let all threads "
             "of a warp take the same way through branches and loops.",
             lanes),
         speedup, where});
}

void local_memory(const WhatIf& model, std::vector<Advice>& list) {
    const Counts& c = model.counts();
    const double sectors = real(c.local_load_sectors + c.local_store_sectors);
    if (sectors == 0) return;
    list.push_back(
        {"Local Memory",
         fmt::format("{} sectors move to and from arrays of single threads, in local memory. An "
                     "array gets into registers if every index into it is known at compile time: "
                     "unroll the loops over it.",
                     count_text(sectors)),
         model.speedup([](KernelWork& work) {
             work.counts.local_load_sectors = work.counts.local_store_sectors = 0;
         }),
         model.line_with_most(&vgpu::LineCounts::local_sectors)});
}

void atomics(const WhatIf& model, std::vector<Advice>& list) {
    if (model.profile().work.hottest_visits == 0) return;
    const double threads = real(std::max<std::uint64_t>(2, model.profile().threads_per_block()));
    list.push_back(
        {"Atomics at One Place",
         fmt::format("{} atomics queue up at one place{}. Add up within the block first, in "
                     "registers and shared memory: then a block needs one.",
                     count_text(real(model.profile().work.hottest_visits)),
                     model.profile().hottest_allocation.empty()
                         ? ""
                         : ", in " + model.profile().hottest_allocation),
         model.speedup([&](KernelWork& work) {
             work.hottest_visits = whole(real(work.hottest_visits) / threads);
         }),
         {}});
}

void reuse(const WhatIf& model, std::vector<Advice>& list) {
    const Counts& c = model.counts();
    const double loaded = real(c.global_load_bytes),
                 touched = real(model.profile().work.touched_bytes);
    const double times = ratio(loaded, touched);
    constexpr double kOften = 4;
    if (times < kOften) return;
    list.push_back(
        {"Values Loaded Again",
         fmt::format(
             "Each byte of global memory is asked for {:.0f} times. Keep what a thread uses "
             "again in a register, and what a block uses again in shared memory. (At most, "
             "as that costs, too.)",
             times),
         model.speedup([&](KernelWork& work) {
             for (std::uint64_t Counts::*count :
                  {&Counts::global_load_requests, &Counts::global_load_sectors,
                   &Counts::global_load_passes, &Counts::uncached_load_sectors,
                   &Counts::scattered_load_sectors})
                 work.counts.*count = whole(real(work.counts.*count) / times);
             work.revisits.loaded_again = {};
         }),
         model.line_with_most(&vgpu::LineCounts::global_sectors)});
}

/// The time that warps wait, halved where it is for memory.
void with_twice_the_loads(const KernelProfile& profile, KernelWork& work) {
    const auto share_of = [&](double vgpu::StateCycles::*cycles) {
        double all = 0;
        for (const vgpu::StateCycles& state : profile.states) all += state.*cycles;
        const auto& memory = profile.states[static_cast<std::size_t>(WarpState::long_scoreboard)];
        return ratio(memory.*cycles, all);
    };
    work.far_cycles *= 1 - share_of(&vgpu::StateCycles::far) / 2;
    work.near_cycles *= 1 - share_of(&vgpu::StateCycles::near) / 2;
}

void latency(const WhatIf& model, std::vector<Advice>& list) {
    const KernelProfile& profile = model.profile();
    const Gpu& gpu = model.gpu();
    const std::uint64_t threads = std::max<std::uint64_t>(1, profile.threads_per_block());
    const std::uint64_t full = std::uint64_t{gpu.multiprocessors} *
                               std::min<std::uint64_t>(gpu.blocks_per_multiprocessor,
                                                       gpu.threads_per_multiprocessor / threads);
    const std::uint64_t at_once = std::max<std::uint64_t>(1, profile.work.blocks_at_once);
    if (profile.work.blocks < at_once) {
        list.push_back(
            {"Small Grid",
             fmt::format("{} of {}, for {} multiprocessors that hold {} at once. Give "
                         "each thread less to do, and launch more of them.",
                         count_text(real(profile.work.blocks)) +
                             (profile.work.blocks == 1 ? " block" : " blocks"),
                         count_text(real(threads)) + (threads == 1 ? " thread" : " threads"),
                         gpu.multiprocessors, count_text(real(at_once))),
             model.speedup([&](KernelWork& work) { work.blocks = at_once; }),
             {}});
    } else if (at_once < full) {
        list.push_back(
            {"Theoretical Occupancy",
             fmt::format("Blocks fill {:.0f} % of a multiprocessor's room for warps, so few are "
                         "there to hide each other's waiting. Use fewer registers or less shared "
                         "memory in a block, or smaller blocks.",
                         profile.theoretical_occupancy_pct),
             model.speedup([&](KernelWork& work) { work.blocks_at_once = full; }),
             {}});
    }
    list.push_back({"Loads in Flight",
                    "A warp waits for its loads one after the other. Let each thread begin several "
                    "before it uses the first: unroll the loop, or load float4.",
                    model.speedup([&](KernelWork& work) { with_twice_the_loads(profile, work); }),
                    model.line_with_most(&vgpu::LineCounts::global_sectors)});
    if (model.counts().barriers > 0)
        list.push_back(
            {"Barriers",
             fmt::format(
                 "There is a barrier every {:.0f} instructions, and nothing else runs while "
                 "a block waits. Let each thread do more between two of them.",
                 ratio(real(model.counts().warp_instructions), real(model.counts().barriers))),
             model.speedup([](KernelWork& work) { work.counts.barriers = 0; }),
             {}});
}

void instructions(const WhatIf& model, std::vector<Advice>& list) {
    const Counts& c = model.counts();
    const Gpu& gpu = model.gpu();
    const auto busy = [](std::uint64_t count, double a_cycle) { return real(count) / a_cycle; };
    const double issue = real(c.warp_instructions - c.folded) / 4;
    const auto where = model.line_with_most(&vgpu::LineCounts::warp_instructions);
    if (busy(c.fp64, gpu.fp64_a_cycle) > issue) {
        list.push_back({"FP64 Pipeline",
                        "Arithmetic in double is the limit. If float is precise enough, write 2.0f "
                        "for 2.0 and keep double out of the loop.",
                        model.speedup([](KernelWork& work) { work.counts.fp64 = 0; }), where});
    }
    if (busy(c.xu, gpu.xu_a_cycle) > issue) {
        list.push_back({"XU Pipeline",
                        "Functions, divisions and conversions of types are the limit. Compute them "
                        "once, outside of the loop, or multiply by the reciprocal.",
                        model.speedup([](KernelWork& work) { work.counts.xu = 0; }), where});
    }
    const double alu = real(c.alu - c.folded_alu), all = real(c.warp_instructions - c.folded);
    constexpr double kMuch = 0.3;
    if (alu > kMuch * all)
        list.push_back(
            {"Instruction Mix",
             fmt::format(
                 "{} of the instructions compute indices, compare or count. Move what stays "
                 "the same out of the loop, unroll it, and let a thread do several "
                 "elements. (At most, as some are needed.)",
                 percent_text(ratio(alu, all))),
             model.speedup([&](KernelWork& work) {
                 work.counts.warp_instructions -= work.counts.alu - work.counts.folded_alu;
                 work.counts.alu = work.counts.folded_alu;
             }),
             where});
}

/// Launches that take longer than their kernels.
void launches(const WhatIf& model, std::vector<Advice>& list) {
    const double launch_s = model.gpu().launch_s, kernel_s = model.profile().cost.seconds();
    const double count = real(model.profile().all.launches);
    constexpr double kMany = 4;
    if (count < kMany || kernel_s > launch_s) return;
    list.push_back(
        {"Launch Overhead",
         fmt::format("{} launches of a kernel that takes {}, and a launch alone takes {}. "
                     "Do the work of several in one.",
                     count_text(count), time_text(kernel_s), time_text(launch_s)),
         (launch_s + kernel_s) / (launch_s / count + kernel_s),
         {}});
}

void block_starts(const WhatIf& model, std::vector<Advice>& list) {
    constexpr double kGood = 256;
    const double threads = real(model.profile().threads_per_block());
    if (!model.is_longest(&KernelCost::blocks_s)) return;
    list.push_back(
        {"Block Size",
         fmt::format("{} blocks of {:.0f} threads take longer to start than to run. Use larger "
                     "blocks, or give each thread several elements.",
                     count_text(real(model.profile().work.blocks)), threads),
         model.speedup([&](KernelWork& work) {
             work.blocks = std::max<std::uint64_t>(
                 1, whole(real(work.blocks) * std::min(0.25, threads / kGood)));
         }),
         {}});
}

/// What no rearrangement gains, only less work.
void at_the_limit(const WhatIf& model, std::vector<Advice>& list) {
    // Where another change gains more, "only" would be wrong.
    const auto is_only_way = [&](double share) {
        return std::ranges::none_of(
            list, [&](const Advice& other) { return other.speedup > ratio(1, share); });
    };
    const double memory = model.share(&KernelCost::memory_s);
    if (memory >= kAtLimit) {
        list.push_back(
            {"DRAM Throughput",
             fmt::format("Memory is busy {} of the time: {} are faster. Use smaller "
                         "types, or one kernel in place of two that pass an array on.",
                         percent_text(std::min(1.0, memory)),
                         is_only_way(memory) ? "you are at its limit, and only fewer bytes"
                                             : "you are near its limit, where fewer bytes"),
             ratio(1, memory),
             {}});
    }
    const double issue = model.share(&KernelCost::issue_s);
    if (issue >= kAtLimit)
        list.push_back(
            {"Compute Throughput",
             fmt::format("Instructions are issued {} of the time: {} are faster.",
                         percent_text(std::min(1.0, issue)),
                         is_only_way(issue) ? "you are at the limit, and only fewer instructions"
                                            : "you are near the limit, where fewer instructions"),
             ratio(1, issue), model.line_with_most(&vgpu::LineCounts::warp_instructions)});
}

/// What would not help, so that nobody spends the evening on it.
void not_worthwhile(const WhatIf& model, std::vector<Advice>& list) {
    constexpr double kLittle = 0.4;
    const double issue = model.share(&KernelCost::issue_s),
                 memory = model.share(&KernelCost::memory_s);
    std::string what;
    if (issue < kLittle)
        what = fmt::format("Fewer instructions ({} of the time)", percent_text(issue));
    if (memory < kLittle)
        what += fmt::format("{} bytes from memory ({}{})", what.empty() ? "Fewer" : " or fewer",
                            percent_text(memory), what.empty() ? " of the time" : "");
    if (what.empty()) return;
    list.push_back({"Not Worth It", what + ": hidden behind what takes longer.", 1, {}});
}

/// Where no change that is known here gains much.
void no_advice(const WhatIf& model, std::vector<Advice>& list) {
    const profiles::Part& longest = profiles::longest_part(model.profile().cost);
    const double share = model.share(longest.time_s);
    if (share >= kAtLimit)
        list.push_back({"No Other Limit",
                        fmt::format("What takes longest, {}, is {} of the time, and no change that "
                                    "is known here shortens it.",
                                    longest.limit, percent_text(std::min(1.0, share))),
                        1,
                        {}});
    else
        list.push_back({"Balanced",
                        fmt::format("No single change gains much: what takes longest, {}, is {} of "
                                    "the time, and other parts take nearly as long.",
                                    longest.limit, percent_text(share)),
                        1,
                        {}});
}

}  // namespace

std::vector<Advice> advice_for(const KernelProfile& profile, const Gpu& gpu) {
    const WhatIf model(profile, gpu);
    std::vector<Advice> list;
    for (const auto rule : {coalescing, bank_conflicts, idle_lanes, local_memory, atomics, reuse,
                            latency, instructions, launches, block_starts})
        rule(model, list);
    std::erase_if(list, [](const Advice& advice) { return advice.speedup < kWorthwhile; });
    at_the_limit(model, list);
    std::ranges::stable_sort(list, std::ranges::greater(), &Advice::speedup);
    if (list.empty()) no_advice(model, list);
    not_worthwhile(model, list);
    if (list.size() > kMostAdvice) list.resize(kMostAdvice);
    return list;
}

}  // namespace lab
