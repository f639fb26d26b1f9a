#include "vgpu/model/clock.h"

#include <algorithm>

namespace vgpu::model {

double kernel_seconds(const Gpu& gpu, const KernelWork& work) {
    // Each multiprocessor has four schedulers that issue one warp instruction a cycle.
    const double issue_per_s = 4.0 * gpu.multiprocessors * gpu.clock_khz * 1e3;
    const double memory_s =
        static_cast<double>(work.global_sectors) * kSectorBytes / gpu.device_bytes_per_s;
    const double issue_s = static_cast<double>(work.warp_instructions) / issue_per_s;
    const double blocks_s = static_cast<double>(work.blocks) / gpu.blocks_per_s;
    return gpu.launch_s + std::max({memory_s, issue_s, blocks_s});
}

double transfer_seconds(const Gpu& gpu, Transfer kind, std::uint64_t bytes) {
    const double amount = static_cast<double>(bytes);
    switch (kind) {
        case Transfer::pageable:
            return gpu.pageable_copy_s + amount / gpu.pageable_bytes_per_s;
        case Transfer::pinned:
            return gpu.pinned_copy_s + amount / gpu.pinned_bytes_per_s;
        case Transfer::on_device:
            break;
    }
    return gpu.device_copy_s + 2 * amount / gpu.device_bytes_per_s;
}

double fill_seconds(const Gpu& gpu, std::uint64_t bytes) {
    return gpu.fill_s + static_cast<double>(bytes) / gpu.device_bytes_per_s;
}

}  // namespace vgpu::model
