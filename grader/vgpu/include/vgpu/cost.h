// Models the time of a kernel, part by part: the times of its instructions, requests, bytes,
// atomics, waiting and blocks, each as if nothing else limited it.
#pragma once

#include <cstdint>

#include "vgpu/counts.h"
#include "vgpu/gpu.h"
#include "vgpu/launch.h"

// A ceiling model in the manner of the instruction roofline, with a term for latency: the kernel
// takes about as long as its longest part, somewhat longer where two are close. Work inside a
// multiprocessor (instructions, passes, waiting at barriers) adds up. All parts come from counts of
// the PTX executed; properties of the machine code (registers, schedules) are not in it.
// cost_test.cpp compares it with an H200, kernel by kernel.
//
// Data are taken to be at least four times as large as the L2 cache, as in speed tests, however
// small the arrays were here. Touched data comes from memory once, and again where a launch returns
// to it after more than the cache holds.

namespace vgpu::model {

struct KernelWork {
    std::uint64_t blocks = 0;
    std::uint64_t blocks_at_once = 0;  ///< that the whole GPU holds; 0: unknown, taken as too few
    Counts counts{};
    std::uint64_t touched_bytes = 0;
    std::uint64_t hottest_visits = 0;  ///< of atomics at 512 bytes
    bool hottest_is_float = false;
    Revisits revisits{};
    L1Reuse l1_reuse{};
    std::uint64_t hottest_uncached_loads = 0;
    double far_cycles = 0, near_cycles = 0;       ///< LaunchResult's
    std::uint64_t warp_time = 0, block_time = 0;  ///< the same
    std::uint64_t waited_cycles = 0;              ///< the same
};

/// What a launch of `blocks` blocks did; `blocks_at_once`: as in KernelWork.
KernelWork work_of(const LaunchResult& launch, std::uint64_t blocks, std::uint64_t blocks_at_once);

/// What the same launch does with more data, from what it did with two smaller amounts: everything
/// that grows does so in proportion to the data, and what is the same for both stays. `times`: how
/// often the step from `small` to `larger` is to be made from `small`.
KernelWork extrapolated(const KernelWork& small, const KernelWork& larger, double times);
/// The same of one number. What became less with more data does not go on so: it stays.
double extrapolated(double small, double larger, double times);

/// Of two launches that run at the same time, on different memory: as if they were one.
KernelWork side_by_side(const KernelWork& one, const KernelWork& other);

/// Seconds, each alone.
struct KernelCost {
    double issue_s = 0;    ///< instructions, through the pipe that has most to do
    double l1_s = 0;       ///< passes through the L1 cache and shared memory
    double l2_s = 0;       ///< stores, atomics, and loads that L1 does not have
    double memory_s = 0;   ///< bytes
    double atomics_s = 0;  ///< at the same 512 bytes, one after the other
    double latency_s = 0;  ///< waiting, by as many warps as fit
    double blocks_s = 0;   ///< handing out blocks
    /// Of the waiting, what nothing else runs beside, because warps wait for each other: 0 to 1.
    double in_step = 0;

    /// All together, without the launch.
    double seconds() const;
    /// Part by part: of one after the other.
    KernelCost& operator+=(const KernelCost&);
};

KernelCost cost_of(const Gpu&, const KernelWork&);

/// How much of what a kernel loads and stores goes how far, modelled.
struct Traffic {
    double memory_bytes = 0;     ///< between device memory and the L2 cache
    double l1_missed_share = 0;  ///< of the lines that loads touch, those that L1 does not have
    double far_share = 0;        ///< of the bytes loaded and stored, those touched first
};
Traffic traffic_of(const Gpu&, const KernelWork&);

}  // namespace vgpu::model
