#include "vgpu/occupancy.h"

#include <algorithm>

namespace vgpu::model {
namespace {

constexpr std::uint32_t kSchedulers = 4;
constexpr std::uint32_t kRegisterUnit = 256;
constexpr std::uint64_t kSharedUnitBytes = 128;

template <typename T>
constexpr T round_up(T value, T unit) {
    return (value + unit - 1) / unit * unit;
}

constexpr std::uint32_t warps_of(std::uint32_t threads) {
    return (threads + kWarpSize - 1) / kWarpSize;
}

/// Warps whose registers fit into `registers` of them, whole schedulers at a time.
std::uint32_t warps_by_registers(std::uint32_t registers, std::uint32_t registers_a_thread) {
    if (registers_a_thread == 0) return UINT32_MAX;
    const std::uint32_t a_warp = round_up(registers_a_thread * kWarpSize, kRegisterUnit);
    return registers / kSchedulers / a_warp * kSchedulers;
}

}  // namespace

std::uint32_t max_threads_by_registers(const Gpu& gpu, const KernelResources& kernel) {
    const std::uint32_t warps = warps_by_registers(gpu.registers_per_block, kernel.registers);
    const std::uint32_t most = std::min(gpu.max_threads_per_block, kernel.max_threads_per_block);
    return warps >= warps_of(most) ? most : warps * kWarpSize;
}

std::uint32_t blocks_per_multiprocessor(const Gpu& gpu, const KernelResources& kernel,
                                        std::uint32_t threads_per_block,
                                        std::uint64_t dynamic_shared_bytes) {
    if (threads_per_block == 0 || threads_per_block > max_threads_by_registers(gpu, kernel) ||
        dynamic_shared_bytes > kernel.max_dynamic_shared_bytes) {
        return 0;
    }
    const std::uint32_t warps = warps_of(threads_per_block);
    std::uint32_t blocks =
        std::min(gpu.blocks_per_multiprocessor, gpu.threads_per_multiprocessor / kWarpSize / warps);
    blocks = std::min(
        blocks, warps_by_registers(gpu.registers_per_multiprocessor, kernel.registers) / warps);
    const std::uint64_t shared = round_up(
        dynamic_shared_bytes + kernel.static_shared_bytes + gpu.reserved_shared_bytes_per_block,
        kSharedUnitBytes);
    if (shared == 0) return blocks;  // GPUs of compute capability 7.5 keep nothing for themselves
    const std::uint64_t by_shared = gpu.shared_bytes_per_multiprocessor / shared;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, by_shared));
}

std::uint64_t resident_warps(const Gpu& gpu, const KernelResources& kernel, std::uint64_t blocks,
                             std::uint32_t threads_per_block, std::uint64_t dynamic_shared_bytes) {
    const std::uint64_t at_once =
        std::uint64_t{gpu.multiprocessors} *
        blocks_per_multiprocessor(gpu, kernel, threads_per_block, dynamic_shared_bytes);
    return std::min(blocks, at_once) * warps_of(threads_per_block);
}

double theoretical_occupancy_pct(const Gpu& gpu, const KernelResources& kernel,
                                 std::uint32_t threads_per_block,
                                 std::uint64_t dynamic_shared_bytes) {
    const std::uint32_t warps = warps_of(threads_per_block);
    const std::uint32_t blocks =
        blocks_per_multiprocessor(gpu, kernel, threads_per_block, dynamic_shared_bytes);
    return 100.0 * kWarpSize * warps * blocks / gpu.threads_per_multiprocessor;
}

double achieved_occupancy_pct(const Gpu& gpu, std::uint32_t blocks_per_multiprocessor,
                              std::uint64_t blocks, std::uint64_t warp_time,
                              std::uint64_t block_time) {
    if (block_time == 0 || blocks_per_multiprocessor == 0) return 0;
    // Those with one block more than the others, and the others: how often they are filled anew.
    const std::uint64_t n = gpu.multiprocessors, few = blocks / n, busier = blocks % n;
    const auto rounds = [&](std::uint64_t share) {
        return (share + blocks_per_multiprocessor - 1) / blocks_per_multiprocessor;
    };
    const auto block_times =
        static_cast<double>(busier * rounds(few + 1) + (n - busier) * rounds(few));
    const double warps_of_a_block =
        static_cast<double>(warp_time) / static_cast<double>(block_time);
    return 100.0 * kWarpSize * warps_of_a_block * static_cast<double>(blocks) / block_times /
           gpu.threads_per_multiprocessor;
}

}  // namespace vgpu::model
