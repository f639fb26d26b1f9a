// The device's attributes and properties, as programs ask for them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace vgpu::client {

/// An H200's value; 0 for what the virtual GPU cannot do.
int attribute(cudaDeviceAttr);
cudaDeviceProp properties(std::uint64_t memory_bytes);

}  // namespace vgpu::client
