#include "vgpu/model/clock.h"

#include <algorithm>

namespace vgpu::model {

namespace {

struct KernelParts {
    double memory_s, busy_s;
};

KernelParts parts_of(const Gpu& gpu, const KernelWork& work) {
    const double used =
        static_cast<double>(std::min<std::uint64_t>(work.blocks, gpu.multiprocessors));
    const double hertz = gpu.clock_khz * 1e3;
    // Each multiprocessor has four schedulers that issue one warp instruction a cycle, and takes 64
    // bytes a cycle from the second-level cache.
    const double issue_per_s = 4 * used * hertz;
    const double bytes_per_s = std::min(gpu.device_bytes_per_s, 64 * used * hertz);
    const double bytes = static_cast<double>(work.global_sectors) * kSectorBytes;
    const double issue_s = static_cast<double>(work.warp_instructions) / issue_per_s;
    const double blocks_s = static_cast<double>(work.blocks) / gpu.blocks_per_s;
    return {bytes / gpu.device_bytes_per_s, std::max({bytes / bytes_per_s, issue_s, blocks_s})};
}

}  // namespace

double kernel_seconds(const Gpu& gpu, const KernelWork& work) {
    return gpu.launch_s + parts_of(gpu, work).busy_s;
}

double kernel_share(const Gpu& gpu, const KernelWork& work) {
    if (work.blocks >= work.blocks_at_once) return 1;
    const KernelParts parts = parts_of(gpu, work);
    return std::max(static_cast<double>(work.blocks) / static_cast<double>(work.blocks_at_once),
                    parts.memory_s / parts.busy_s);
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
