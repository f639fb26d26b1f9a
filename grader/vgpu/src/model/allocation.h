// The host's cost of allocating and freeing memory, and a kernel's cost of touching managed memory
// that lies with the host. Medians on an H200 (data/measurements, allocations.txt), used for all
// GPUs: most of it is work of driver and host.
#pragma once

#include <cstdint>

namespace vgpu::model {

enum class Memory : std::uint8_t { device, pinned, managed };

/// cudaMalloc, cudaMallocHost, cudaMallocManaged.
double allocation_seconds(Memory, std::uint64_t bytes);
/// cudaMallocAsync, where its pool has given back what it had: at each wait of the host, unless a
/// threshold says otherwise. In between it takes next to nothing.
double pool_growth_seconds(std::uint64_t bytes);
/// cudaFree and cudaFreeHost, without waiting for the device.
double release_seconds(Memory, std::uint64_t bytes);
/// What a kernel takes longer when it is the first to touch these bytes of managed memory: they
/// fault, and move to the device.
double first_touch_seconds(std::uint64_t bytes);

}  // namespace vgpu::model
