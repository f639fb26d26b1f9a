// The arithmetic behind the occupancy calculator: how much of a multiprocessor a kernel can fill.
#pragma once

#include <cstdint>

#include "vgpu/gpu.h"

// Registers are allocated per warp in units of 256, and each of the four schedulers of a
// multiprocessor owns a quarter of them; shared memory per block in units of 128 bytes, plus the
// system's own share.

namespace vgpu::model {

struct KernelResources {
    std::uint32_t registers = 0;  ///< a thread
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t max_dynamic_shared_bytes =
        49152;  ///< the kernel's limit; more cannot be launched
    std::uint32_t max_threads_per_block = 1024;
};

/// The largest block that the registers of one block allow; also what a launch must respect.
std::uint32_t max_threads_by_registers(const Gpu&, const KernelResources&);

/// Blocks of one kernel that a multiprocessor holds at once; 0 when it cannot be launched at all.
std::uint32_t blocks_per_multiprocessor(const Gpu&, const KernelResources&,
                                        std::uint32_t threads_per_block,
                                        std::uint64_t dynamic_shared_bytes);

/// Warps that are on the GPU at once: the whole grid, or as much of it as fits.
std::uint64_t resident_warps(const Gpu&, const KernelResources&, std::uint64_t blocks,
                             std::uint32_t threads_per_block, std::uint64_t dynamic_shared_bytes);

/// How much of a multiprocessor's room for warps blocks of this kernel can take
/// (sm__maximum_warps_per_active_cycle_pct).
double theoretical_occupancy_pct(const Gpu&, const KernelResources&,
                                 std::uint32_t threads_per_block,
                                 std::uint64_t dynamic_shared_bytes);

/// How much of it warps take on average while a multiprocessor works
/// (sm__warps_active.avg.pct_of_peak_sustained_active), modelled: blocks are dealt out evenly, each
/// lasts as long as the average one, and a warp is there until its last instruction.
/// `warp_time`, `block_time`: of all warps and of all blocks, in any unit.
double achieved_occupancy_pct(const Gpu&, std::uint32_t blocks_per_multiprocessor,
                              std::uint64_t blocks, std::uint64_t warp_time,
                              std::uint64_t block_time);

}  // namespace vgpu::model
