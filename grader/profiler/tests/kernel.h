// Kernels with known counts, for tests of profiles.
#pragma once

#include "profiler/kernel_profile.h"

namespace lab::test {

/// A grid that fills an H200 several times, of warps that eight times load a float a lane, add one
/// and store it elsewhere, without a mistake: 16 Mi elements.
inline KernelProfile streaming_kernel() {
    KernelProfile kernel;
    kernel.kernel = "add_one(float*)";
    kernel.block = {256, 1, 1};
    kernel.grid = {8192, 1, 1};
    kernel.registers = 16;
    kernel.theoretical_occupancy_pct = 100;
    kernel.achieved_occupancy_pct = 90;
    kernel.work.blocks = 8192;
    kernel.work.blocks_at_once = 8 * 132;
    constexpr std::uint64_t kWarps = 65536 * 8,  // rounds of warps
        kSectors = 4 * kWarps;
    vgpu::Counts& c = kernel.work.counts;
    c.warp_instructions = 10 * kWarps;
    c.thread_instructions = 32 * c.warp_instructions;
    c.alu = 3 * kWarps;
    c.fma = 2 * kWarps;
    c.lsu = 2 * kWarps;
    c.fadd = 32 * kWarps;
    c.global_load_requests = c.global_store_requests = kWarps;
    c.global_load_sectors = c.global_store_sectors = kSectors;
    c.global_load_passes = c.global_store_passes = kWarps;
    c.global_load_bytes = c.global_store_bytes = 32 * kSectors;
    kernel.work.touched_bytes = 2 * 32 * kSectors;
    kernel.work.l1_reuse.first = kWarps;
    kernel.work.far_cycles = 750.0 * kWarps;
    kernel.work.near_cycles = 90.0 * kWarps;
    kernel.work.warp_time = c.warp_instructions;
    kernel.work.block_time = c.warp_instructions / 8;
    kernel.states[0] = {10.0 * kWarps, 10.0 * kWarps};
    kernel.states[2] = {740.0 * kWarps, 80.0 * kWarps};
    kernel.all.lines = {
        {{"add.cu", 7}, 4 * kWarps, 128 * kWarps, 0, 0, 0, 0, 0, 0, 0},
        {{"add.cu", 8}, 6 * kWarps, 192 * kWarps, 2 * kWarps, 2 * kSectors, 0, 0, 0, 0, 0}};
    return kernel;
}

/// With its cost, after a test has changed it.
inline KernelProfile modelled(KernelProfile kernel) {
    kernel.cost = cost_of(vgpu::model::h200(), kernel.work);
    kernel.all.blocks = kernel.work.blocks;
    kernel.all.counts = kernel.work.counts;
    kernel.all.cost = kernel.cost;
    kernel.all.seconds = kernel.cost.seconds();
    return kernel;
}

}  // namespace lab::test
