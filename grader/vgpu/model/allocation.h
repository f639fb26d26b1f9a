// What handing out and taking back memory costs the host, and what it costs a kernel to touch
// managed memory that the host has had so far. Medians on an H200 (data/measurements,
// allocations.txt), taken for all GPUs: most of it is the driver's and the host's work.
//
// Interface: Memory, allocation_seconds, release_seconds, first_touch_seconds.
#pragma once

#include <cstdint>

namespace vgpu::model {

enum class Memory : std::uint8_t { device, pinned, managed };

/// cudaMalloc, cudaMallocHost, cudaMallocManaged.
double allocation_seconds(Memory, std::uint64_t bytes);
/// cudaFree and cudaFreeHost, without waiting for the device.
double release_seconds(Memory, std::uint64_t bytes);
/// What a kernel takes longer when it is the first to touch these bytes of managed memory: they
/// fault, and move to the device.
double first_touch_seconds(std::uint64_t bytes);

}  // namespace vgpu::model
