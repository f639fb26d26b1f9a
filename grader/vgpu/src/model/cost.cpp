#include "vgpu/cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numeric>

namespace vgpu::model {
double extrapolated(double small, double larger, double times) {
    return larger + (times - 1) * std::max(0.0, larger - small);
}

namespace {

// Warp instructions that a multiprocessor can start in a cycle, in all pipes.
constexpr double kIssue = 4;
// Two parts that take equally long slow each other down by a fifth (2^(1/4)).
constexpr double kTogether = 4;
// With a barrier every 12 instructions or fewer, warps run in step: a tree of sums on an H200.
constexpr double kInstructionsInStep = 12;
// Instructions and passes overlap, but not as well as what happens outside a multiprocessor.
constexpr double kInside = 1.6;
// Cycles in which a multiprocessor sends a line of a store to the L2 cache, however little of it is
// stored (stores of columns and of 16 consecutive ids a thread).
constexpr double kLineCycles = 3.6;
// The same of a line that a load misses in the L1 cache.
constexpr double kMissedLineCycles = 2;
// The L1 cache with what shared memory leaves of it, on an H200.
constexpr double kL1Lines = 256 * 1024 / 128;
// Data of a race are at least four times as large as the L2 cache.
constexpr double kLargestShare = 1. / 4;
// Parts of a launch, and bytes that each piece of a sampled page stands for (profile/l2_reuse.h).
constexpr double kVisitParts = 64, kSampledPieceBytes = 16 * 64;
// What a piece on its own costs memory, where neighbours follow each other 1 (random gathers).
constexpr double kRow = 1.2;
// A slice of the L2 cache hands out 64 bytes a cycle.
constexpr double kSliceSectors = 2;

double real(std::uint64_t count) {
    return static_cast<double>(count);
}

/// As one, of parts that slow each other down the more, the smaller `together` is.
double combined(std::initializer_list<double> parts_s, double together) {
    double sum = 0;
    for (const double part_s : parts_s) sum += std::pow(part_s, together);
    return std::pow(sum, 1 / together);
}

/// Of visits that far apart, how many find that the L2 cache has lost the piece, if it keeps one
/// for `kept` sixty-fourths of the launch.
double lost(const Revisits::Gaps& gaps, double kept) {
    double sum = 0;
    for (std::size_t k = 0; k < gaps.size(); ++k) {
        const auto least = static_cast<double>(1u << k);
        sum += real(gaps[k]) * std::clamp((2 * least - kept) / least, 0.0, 1.0);
    }
    return sum;
}

/// Bytes between memory and the L2 cache.
double moved_bytes(const Gpu& gpu, const KernelWork& work) {
    const Revisits& r = work.revisits;
    const double pieces = real(r.pieces), touched = real(work.touched_bytes);
    const auto all = [](const Revisits::Gaps& gaps) {
        return real(std::reduce(gaps.begin(), gaps.end()));
    };
    const double visits = real(r.loaded + r.stored) + all(r.loaded_again) + all(r.stored_again);
    // While so much passes through the cache, a piece stays in it for so long.
    const double share = std::min(kLargestShare, gpu.l2_bytes / touched);
    const double kept = kVisitParts * share * pieces / visits;
    const double loaded_again = lost(r.loaded_again, kept),
                 stored_again = lost(r.stored_again, kept);
    const double stores = real(r.stored) + stored_again;
    // What comes back later was stored in part: memory has to read the rest.
    const double filled = std::min(stores, 2 * stored_again);
    // Of what is scattered, memory has to open another row for each piece.
    const Counts& c = work.counts;
    const auto scatter = [](std::uint64_t sectors, std::uint64_t whole) {
        return 1 + (kRow - 1) * real(sectors) / std::max(1.0, real(whole));
    };
    const double load = scatter(c.scattered_load_sectors, c.global_load_sectors),
                 store = scatter(c.scattered_store_sectors, c.global_store_sectors);
    const double piece_bytes = std::min(touched / pieces, kSampledPieceBytes);
    return piece_bytes *
           (real(r.loaded + r.stored) + load * loaded_again + store * (stored_again + filled));
}

/// Of the lines that loads touch, how many the L1 cache has not, or not any more.
double missed_share(const Gpu& gpu, const KernelWork& work) {
    const L1Reuse& r = work.l1_reuse;
    // A grid that has a block for each multiprocessor has more of them for the data of a race.
    const double together = work.blocks < gpu.multiprocessors
                                ? 1
                                : std::max(1.0, real(work.blocks_at_once) / gpu.multiprocessors);
    const double lines = kL1Lines / together;
    double missed = real(r.first), all = missed;
    for (std::size_t k = 0; k < r.again.size(); ++k) {
        // Of a bucket that the share of a block ends in, all: loops go round.
        all += real(r.again[k]);
        if (std::exp2(k) > lines) missed += real(r.again[k]);
    }
    return all > 0 ? missed / all : 0;  // none of a few blocks was looked at
}

std::uint64_t extrapolated_count(std::uint64_t small, std::uint64_t larger, double times) {
    return static_cast<std::uint64_t>(std::llround(extrapolated(real(small), real(larger), times)));
}

/// Of two structs of nothing but counts: what `combine` makes of each count and its like.
template <class Each, class Combine>
Each count_by_count(const Each& one, const Each& other, Combine combine) {
    using Counters = std::array<std::uint64_t, sizeof(Each) / sizeof(std::uint64_t)>;
    const auto a = std::bit_cast<Counters>(one);
    auto b = std::bit_cast<Counters>(other);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = combine(a[i], b[i]);
    return std::bit_cast<Each>(b);
}

template <class Each>
Each extrapolated(const Each& small, const Each& larger, double times) {
    return count_by_count(small, larger, [=](std::uint64_t few, std::uint64_t many) {
        return extrapolated_count(few, many, times);
    });
}

}  // namespace

KernelWork work_of(const LaunchResult& launch, std::uint64_t blocks, std::uint64_t blocks_at_once) {
    KernelWork work;
    work.blocks = blocks;
    work.blocks_at_once = blocks_at_once;
    work.counts = launch.counts;
    work.touched_bytes = launch.touched_bytes;
    work.revisits = launch.revisits;
    work.l1_reuse = launch.l1_reuse;
    work.hottest_uncached_loads = launch.hottest_uncached_loads;
    if (launch.hottest_atomic) {
        work.hottest_visits = launch.hottest_atomic->visits;
        work.hottest_is_float = launch.hottest_atomic->of_floats;
    }
    work.far_cycles = launch.far_cycles;
    work.near_cycles = launch.near_cycles;
    work.warp_time = launch.warp_time;
    work.block_time = launch.block_time;
    work.waited_cycles = launch.waited_cycles;
    return work;
}

KernelWork extrapolated(const KernelWork& small, const KernelWork& larger, double times) {
    KernelWork result = larger;
    for (std::uint64_t KernelWork::*count :
         {&KernelWork::blocks, &KernelWork::touched_bytes, &KernelWork::hottest_visits,
          &KernelWork::warp_time, &KernelWork::block_time, &KernelWork::waited_cycles}) {
        result.*count = extrapolated_count(small.*count, larger.*count, times);
    }
    result.hottest_uncached_loads =
        extrapolated_count(small.hottest_uncached_loads, larger.hottest_uncached_loads, times);
    result.revisits = extrapolated(small.revisits, larger.revisits, times);
    for (double KernelWork::*cycles : {&KernelWork::far_cycles, &KernelWork::near_cycles}) {
        result.*cycles = extrapolated(small.*cycles, larger.*cycles, times);
    }
    result.counts = extrapolated(small.counts, larger.counts, times);
    return result;
}

KernelWork side_by_side(const KernelWork& one, const KernelWork& other) {
    KernelWork both = one;
    for (std::uint64_t KernelWork::*count :
         {&KernelWork::blocks, &KernelWork::touched_bytes, &KernelWork::warp_time,
          &KernelWork::block_time, &KernelWork::waited_cycles}) {
        both.*count += other.*count;
    }
    both.far_cycles += other.far_cycles;
    both.near_cycles += other.near_cycles;
    both.blocks_at_once = std::min(one.blocks_at_once, other.blocks_at_once);
    both.counts = count_by_count(one.counts, other.counts, std::plus());
    both.revisits = count_by_count(one.revisits, other.revisits, std::plus());
    both.l1_reuse = count_by_count(one.l1_reuse, other.l1_reuse, std::plus());
    both.hottest_uncached_loads =
        std::max(one.hottest_uncached_loads, other.hottest_uncached_loads);
    if (other.hottest_visits > one.hottest_visits) {
        both.hottest_visits = other.hottest_visits;
        both.hottest_is_float = other.hottest_is_float;
    }
    return both;
}

double KernelCost::seconds() const {
    const double inside_s = combined({issue_s, l1_s}, kInside) + in_step * latency_s;
    return combined({inside_s, l2_s, memory_s, atomics_s, latency_s, blocks_s}, kTogether);
}

KernelCost& KernelCost::operator+=(const KernelCost& other) {
    issue_s += other.issue_s;
    l1_s += other.l1_s;
    l2_s += other.l2_s;
    memory_s += other.memory_s;
    atomics_s += other.atomics_s;
    latency_s += other.latency_s;
    blocks_s += other.blocks_s;
    in_step = std::max(in_step, other.in_step);
    return *this;
}

Traffic traffic_of(const Gpu& gpu, const KernelWork& work) {
    const Counts& c = work.counts;
    const double atomic_sectors = real(c.global_atomic_sectors + c.global_reduction_sectors);
    const double loaded = kSectorBytes * real(c.global_load_sectors),
                 stored = kSectorBytes * (real(c.global_store_sectors) + atomic_sectors),
                 touched = real(work.touched_bytes);
    return {work.revisits.pieces > 0 ? moved_bytes(gpu, work) : std::min(loaded + stored, touched),
            missed_share(gpu, work),
            loaded + stored > 0 ? std::min(1.0, touched / (loaded + stored)) : 1};
}

KernelCost cost_of(const Gpu& gpu, const KernelWork& work) {
    const Counts& c = work.counts;
    const Traffic traffic = traffic_of(gpu, work);
    const double hertz = gpu.clock_khz * 1e3;
    // A grid of fewer blocks than there are multiprocessors uses as many of these.
    const double used = real(std::min<std::uint64_t>(work.blocks, gpu.multiprocessors));
    if (used == 0) return {};
    const double cycles_per_s = used * hertz;

    KernelCost cost;
    const double cycles =
        std::max({real(c.warp_instructions - c.folded) / kIssue, real(c.fma) / gpu.fma_a_cycle,
                  real(c.alu - c.folded_alu) / gpu.alu_a_cycle, real(c.fp64) / gpu.fp64_a_cycle,
                  real(c.xu) / gpu.xu_a_cycle});
    cost.issue_s = cycles / cycles_per_s;

    const double shared =
        real(c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts);
    const double local = real(c.local_load_sectors + c.local_store_sectors) / 4;
    const double global = real(c.global_load_passes + c.global_store_passes) +
                          real(c.global_atomic_requests + c.global_reduction_requests);
    cost.l1_s = (shared + local + global) / cycles_per_s;

    const double atomic_sectors = real(c.global_atomic_sectors + c.global_reduction_sectors);
    // Stores go through the L1 cache to the L2 cache, every time, a line in the time of a whole
    // one, as do loads that may not use it.
    const double missed = traffic.l1_missed_share * real(c.global_load_passes) * kMissedLineCycles;
    const double through_l2_s = std::max(
        (kLineCycles * real(c.global_store_passes) + missed) / cycles_per_s,
        kSectorBytes * (real(c.global_store_sectors + c.uncached_load_sectors) + atomic_sectors) /
            gpu.l2_bytes_per_s);
    cost.l2_s = std::max(through_l2_s, real(work.hottest_uncached_loads) / (kSliceSectors * hertz));

    // Each multiprocessor takes 64 bytes a cycle from the L2 cache.
    cost.memory_s = traffic.memory_bytes / std::min(gpu.device_bytes_per_s, 64 * cycles_per_s);

    cost.atomics_s = real(work.hottest_visits) *
                     (work.hottest_is_float ? gpu.float_atomic_s : gpu.integer_atomic_s);

    const double cycles_of_warps =
        traffic.far_share * work.far_cycles + (1 - traffic.far_share) * work.near_cycles;
    const double at_once =
        real(std::max<std::uint64_t>(1, std::min(work.blocks, work.blocks_at_once)));
    // A block stays until its last warp ends.
    const double cycles_of_blocks =
        work.warp_time == 0 ? 0 : cycles_of_warps * real(work.block_time) / real(work.warp_time);
    // Blocks that wait for a clock do so together.
    cost.latency_s = (cycles_of_blocks / at_once + real(work.waited_cycles)) / hertz;

    cost.blocks_s = real(work.blocks) / gpu.blocks_per_s;
    cost.in_step = std::min(
        1.0, kInstructionsInStep * real(c.barriers) / std::max(1.0, real(c.warp_instructions)));
    return cost;
}

}  // namespace vgpu::model
