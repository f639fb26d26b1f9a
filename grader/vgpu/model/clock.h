// The modelled clock: what a program's events show on the virtual GPU.
//
// A ceiling model, uncalibrated: an operation takes a fixed start plus the largest of what memory,
// instruction issue and the handing out of blocks need. Operations follow one another, whatever
// their stream; nothing overlaps. Good for telling a kernel that moves eight times the data from
// one that does not; not for absolute times. Verdicts rest on counts, not on this clock.
//
// Interface: KernelWork, kernel_seconds, Transfer, transfer_seconds, fill_seconds.
#pragma once

#include <cstdint>

#include "vgpu/model/gpu.h"

namespace vgpu::model {

struct KernelWork {
    std::uint64_t blocks = 0;
    std::uint64_t warp_instructions = 0;
    std::uint64_t global_sectors = 0;  ///< loads and stores, 32 bytes each
};

double kernel_seconds(const Gpu&, const KernelWork&);

enum class Transfer : std::uint8_t { pageable, pinned, on_device };

double transfer_seconds(const Gpu&, Transfer, std::uint64_t bytes);
double fill_seconds(const Gpu&, std::uint64_t bytes);

}  // namespace vgpu::model
