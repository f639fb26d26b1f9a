// The modelled clock: what a program's events show on the virtual GPU.
//
// A ceiling model, uncalibrated: an operation takes a fixed start plus the largest of what memory,
// instruction issue and the handing out of blocks need. What runs beside what is the timeline's
// business. Good for telling a kernel that moves eight times the data from one that does not; not
// for absolute times. Verdicts rest on counts, not on this clock.
//
// Interface: KernelWork, kernel_seconds, kernel_share, Transfer, transfer_seconds, fill_seconds.
#pragma once

#include <cstdint>

#include "vgpu/model/gpu.h"

namespace vgpu::model {

struct KernelWork {
    std::uint64_t blocks = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t global_sectors = 0;  ///< loads and stores, 32 bytes each
    std::uint64_t blocks_at_once = 0;  ///< that the whole GPU holds; 0: unknown, taken as too few
};

/// Alone on the GPU. A grid of fewer blocks than there are multiprocessors uses as many of these.
double kernel_seconds(const Gpu&, const KernelWork&);
/// How much of the GPU the kernel takes from others meanwhile, above 0 and at most 1: of the room
/// for blocks or of the memory's speed, whichever is more.
double kernel_share(const Gpu&, const KernelWork&);

enum class Transfer : std::uint8_t { pageable, pinned, on_device };

double transfer_seconds(const Gpu&, Transfer, std::uint64_t bytes);
double fill_seconds(const Gpu&, std::uint64_t bytes);

}  // namespace vgpu::model
