// The modelled clock, which a program's events show. An operation takes a fixed start plus the time
// of its bytes, or cost.h's time of a kernel; overlap is the timeline's. Good for telling a kernel
// that moves eight times the data from one that does not; not for absolute times.
#pragma once

#include <cstdint>

#include "vgpu/cost.h"

namespace vgpu::model {

/// Alone on the GPU, launch included.
double kernel_seconds(const Gpu&, const KernelCost&);
/// How much of the GPU the kernel takes from others meanwhile, above 0 and at most 1: of the room
/// for blocks, of the memory's speed or of the atomics' one address, whichever is more.
double kernel_share(const KernelWork&, const KernelCost&);

enum class Transfer : std::uint8_t { pageable, pinned, on_device };

double transfer_seconds(const Gpu&, Transfer, std::uint64_t bytes);
double fill_seconds(const Gpu&, std::uint64_t bytes);

}  // namespace vgpu::model
