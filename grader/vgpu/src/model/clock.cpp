#include "model/clock.h"

#include <algorithm>

namespace vgpu::model {

double kernel_seconds(const Gpu& gpu, const KernelCost& cost) {
    return gpu.launch_s + cost.seconds();
}

double kernel_share(const KernelWork& work, const KernelCost& cost) {
    if (work.blocks >= work.blocks_at_once) return 1;
    // A grid that leaves multiprocessors free takes only these; of what all share, it takes the
    // part of the time in which it uses it.
    const double shared_s = std::max({cost.memory_s, cost.l2_s, cost.atomics_s});
    return std::max(static_cast<double>(work.blocks) / static_cast<double>(work.blocks_at_once),
                    std::min(1.0, shared_s / std::max(cost.seconds(), 1e-12)));
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
