#include "vgpu/model/cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace vgpu::model {
namespace {

// Warp instructions that a multiprocessor can start in a cycle, in all pipes.
constexpr double kIssue = 4;
constexpr double kPassBytes = 128;
// Two parts that take equally long slow each other down by a fifth (2^(1/4)).
constexpr double kTogether = 4;
// With a barrier every so many instructions, warps run in step: a tree of sums on an H200.
constexpr double kInstructionsInStep = 12;
// A pass that looks for lines takes longer than one of shared memory: a naive matrix product runs
// at 0.68 of a tiled one, though it makes hardly more passes.
constexpr double kGlobalPass = 1.5;
// Sectors of which a store writes a part only take longer (stores of 16 consecutive ids a thread).
constexpr double kPartialSlower = 1.8;

double real(std::uint64_t count) {
    return static_cast<double>(count);
}

/// Passes of global requests through the L1 cache: whole lines, and each sector beyond what the
/// bytes need on its own, as lanes far apart cause.
double global_passes(std::uint64_t requests, std::uint64_t sectors, std::uint64_t bytes) {
    const double needed = real(bytes) / kSectorBytes;
    return std::max(real(requests), real(bytes) / kPassBytes) +
           std::max(0.0, real(sectors) - needed);
}

/// Nothing becomes less than nothing.
double extrapolated(double small, double larger, double times) {
    return std::max(0.0, small + times * (larger - small));
}

std::uint64_t extrapolated(std::uint64_t small, std::uint64_t larger, double times) {
    return static_cast<std::uint64_t>(std::llround(extrapolated(real(small), real(larger), times)));
}

}  // namespace

KernelWork work_of(const LaunchResult& launch, std::uint64_t blocks, std::uint64_t blocks_at_once) {
    KernelWork work;
    work.blocks = blocks;
    work.blocks_at_once = blocks_at_once;
    work.counts = launch.counts;
    work.touched_bytes = launch.touched_bytes;
    if (launch.hottest_atomic) {
        work.hottest_visits = launch.hottest_atomic->visits;
        work.hottest_is_float = launch.hottest_atomic->of_floats;
    }
    work.far_cycles = launch.far_cycles;
    work.near_cycles = launch.near_cycles;
    work.warp_time = launch.warp_time;
    work.block_time = launch.block_time;
    return work;
}

KernelWork extrapolated(const KernelWork& small, const KernelWork& larger, double times) {
    KernelWork result = larger;
    for (std::uint64_t KernelWork::*count :
         {&KernelWork::blocks, &KernelWork::touched_bytes, &KernelWork::hottest_visits,
          &KernelWork::warp_time, &KernelWork::block_time}) {
        result.*count = extrapolated(small.*count, larger.*count, times);
    }
    for (double KernelWork::*cycles : {&KernelWork::far_cycles, &KernelWork::near_cycles}) {
        result.*cycles = extrapolated(small.*cycles, larger.*cycles, times);
    }
    using Each = std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)>;
    const Each few = std::bit_cast<Each>(small.counts);
    Each many = std::bit_cast<Each>(larger.counts);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = extrapolated(few[i], many[i], times);
    result.counts = std::bit_cast<Counts>(many);
    return result;
}

double KernelCost::seconds() const {
    const double inside_s = issue_s + l1_s + in_step * latency_s;
    double sum = 0;
    for (const double part_s : {inside_s, l2_s, memory_s, atomics_s, latency_s, blocks_s}) {
        sum += std::pow(part_s, kTogether);
    }
    return std::pow(sum, 1 / kTogether);
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

KernelCost cost_of(const Gpu& gpu, const KernelWork& work) {
    const Counts& c = work.counts;
    const double hertz = gpu.clock_khz * 1e3;
    // A grid of fewer blocks than there are multiprocessors uses as many of these.
    const double used = real(std::min<std::uint64_t>(work.blocks, gpu.multiprocessors));
    if (used == 0) return {};
    const double cycles_per_s = used * hertz;

    KernelCost cost;
    const double cycles = std::max({real(c.warp_instructions) / kIssue,
                                    real(c.fma) / gpu.fma_a_cycle, real(c.alu) / gpu.alu_a_cycle,
                                    real(c.fp64) / gpu.fp64_a_cycle, real(c.xu) / gpu.xu_a_cycle});
    cost.issue_s = cycles / cycles_per_s;

    const double shared =
        real(c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts);
    const double local = real(c.local_load_sectors + c.local_store_sectors) / 4;
    const double global =
        global_passes(c.global_load_requests, c.global_load_sectors, c.global_load_bytes) +
        global_passes(c.global_store_requests, c.global_store_sectors, c.global_store_bytes) +
        real(c.global_atomic_requests + c.global_reduction_requests);
    cost.l1_s = (shared + kGlobalPass * (local + global)) / cycles_per_s;

    const double atomic_sectors = real(c.global_atomic_sectors + c.global_reduction_sectors);
    const double partial =
        std::max(0.0, real(c.global_store_sectors) - real(c.global_store_bytes) / kSectorBytes);
    // Stores go through the L1 cache to the L2 cache, every time.
    cost.l2_s = kSectorBytes *
                (real(c.global_store_sectors) + (kPartialSlower - 1) * partial + atomic_sectors) /
                gpu.l2_bytes_per_s;

    const double loaded = kSectorBytes * real(c.global_load_sectors),
                 stored = kSectorBytes * (real(c.global_store_sectors) + atomic_sectors),
                 touched = real(work.touched_bytes);
    const double moved = std::min(
        loaded + stored, std::max(touched, std::min(loaded, touched) + std::min(stored, touched)));
    // Each multiprocessor takes 64 bytes a cycle from the L2 cache.
    cost.memory_s = moved / std::min(gpu.device_bytes_per_s, 64 * cycles_per_s);

    cost.atomics_s = real(work.hottest_visits) *
                     (work.hottest_is_float ? gpu.float_atomic_s : gpu.integer_atomic_s);

    const double far_share = loaded + stored > 0 ? std::min(1.0, touched / (loaded + stored)) : 1;
    const double cycles_of_warps = far_share * work.far_cycles + (1 - far_share) * work.near_cycles;
    const double at_once =
        real(std::max<std::uint64_t>(1, std::min(work.blocks, work.blocks_at_once)));
    // A block stays until its last warp ends.
    const double cycles_of_blocks =
        work.warp_time == 0 ? 0 : cycles_of_warps * real(work.block_time) / real(work.warp_time);
    cost.latency_s = cycles_of_blocks / at_once / hertz;

    cost.blocks_s = real(work.blocks) / gpu.blocks_per_s;
    cost.in_step = std::min(
        1.0, kInstructionsInStep * real(c.barriers) / std::max(1.0, real(c.warp_instructions)));
    return cost;
}

}  // namespace vgpu::model
