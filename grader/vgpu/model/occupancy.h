// How much of a multiprocessor a kernel can fill: the arithmetic behind the occupancy calculator.
//
// Registers are handed out per warp in units of 256, and each of the four schedulers of a
// multiprocessor owns a quarter of them; shared memory per block in units of 128 bytes, plus what
// the system keeps for itself.
//
// Interface: KernelResources, max_threads_by_registers, blocks_per_multiprocessor, resident_warps.
#pragma once

#include <cstdint>

#include "vgpu/model/gpu.h"

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

}  // namespace vgpu::model
