#include "runtime/client/attributes.h"

#include <cstdio>

#include "vgpu/gpu.h"

namespace vgpu::client {

int attribute(cudaDeviceAttr which) {
    const model::Gpu& gpu = model::modelled_gpu();
    const auto is = [](auto number) { return static_cast<int>(number); };
    switch (which) {
        // clang-format off
        case cudaDevAttrMaxThreadsPerBlock: return is(gpu.max_threads_per_block);
        case cudaDevAttrMaxBlockDimX: return is(gpu.max_block[0]);
        case cudaDevAttrMaxBlockDimY: return is(gpu.max_block[1]);
        case cudaDevAttrMaxBlockDimZ: return is(gpu.max_block[2]);
        case cudaDevAttrMaxGridDimX: return is(gpu.max_grid[0]);
        case cudaDevAttrMaxGridDimY: return is(gpu.max_grid[1]);
        case cudaDevAttrMaxGridDimZ: return is(gpu.max_grid[2]);
        case cudaDevAttrMaxSharedMemoryPerBlock: return is(gpu.shared_bytes_per_block);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return is(gpu.shared_bytes_per_block_opt_in);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return is(gpu.shared_bytes_per_multiprocessor);
        case cudaDevAttrReservedSharedMemoryPerBlock: return is(gpu.reserved_shared_bytes_per_block);
        case cudaDevAttrTotalConstantMemory: return is(gpu.constant_bytes);
        case cudaDevAttrWarpSize: return is(model::kWarpSize);
        case cudaDevAttrMaxPitch: return is(2147483647);
        case cudaDevAttrTextureAlignment:
        case cudaDevAttrSurfaceAlignment: return is(gpu.pitch_alignment_bytes);
        case cudaDevAttrTexturePitchAlignment: return is(model::kTexturePitchAlignment);
        case cudaDevAttrMaxRegistersPerBlock: return is(gpu.registers_per_block);
        case cudaDevAttrMaxRegistersPerMultiprocessor: return is(gpu.registers_per_multiprocessor);
        case cudaDevAttrClockRate: return is(gpu.clock_khz);
        case cudaDevAttrMemoryClockRate: return is(gpu.memory_clock_khz);
        case cudaDevAttrGlobalMemoryBusWidth: return is(gpu.memory_bus_bits);
        case cudaDevAttrL2CacheSize: return is(gpu.l2_bytes);
        case cudaDevAttrMaxPersistingL2CacheSize: return is(39321600);
        case cudaDevAttrMaxAccessPolicyWindowSize: return is(134217728);
        case cudaDevAttrMultiProcessorCount: return is(gpu.multiprocessors);
        case cudaDevAttrMaxThreadsPerMultiProcessor: return is(gpu.threads_per_multiprocessor);
        case cudaDevAttrMaxBlocksPerMultiprocessor: return is(gpu.blocks_per_multiprocessor);
        case cudaDevAttrComputeCapabilityMajor: return is(gpu.compute_major);
        case cudaDevAttrComputeCapabilityMinor: return is(gpu.compute_minor);
        case cudaDevAttrComputeMode: return is(cudaComputeModeDefault);
        case cudaDevAttrSingleToDoublePrecisionPerfRatio: return is(2);
        case cudaDevAttrAsyncEngineCount: return is(3);
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrComputePreemptionSupported:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrHostRegisterSupported:
        case cudaDevAttrMemoryPoolsSupported:
        case cudaDevAttrStreamPrioritiesSupported: return is(1);
        // Textures and surfaces, clusters, graphics, other devices and processes; the host pointer of
        // registered memory is not its device pointer; nothing corrects errors of memory.
        default: return 0;
            // clang-format on
    }
}

cudaDeviceProp properties(std::uint64_t memory_bytes) {
    const model::Gpu& gpu = model::modelled_gpu();
    cudaDeviceProp p{};
    std::snprintf(p.name, sizeof(p.name), "%s", gpu.name);
    p.totalGlobalMem = memory_bytes;
    p.sharedMemPerBlock = gpu.shared_bytes_per_block;
    p.sharedMemPerBlockOptin = gpu.shared_bytes_per_block_opt_in;
    p.sharedMemPerMultiprocessor = gpu.shared_bytes_per_multiprocessor;
    p.reservedSharedMemPerBlock = gpu.reserved_shared_bytes_per_block;
    p.textureAlignment = p.surfaceAlignment = gpu.pitch_alignment_bytes;
    p.texturePitchAlignment = model::kTexturePitchAlignment;
    p.regsPerBlock = attribute(cudaDevAttrMaxRegistersPerBlock);
    p.regsPerMultiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    p.warpSize = attribute(cudaDevAttrWarpSize);
    p.memPitch = static_cast<std::size_t>(attribute(cudaDevAttrMaxPitch));
    p.maxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    for (int axis = 0; axis < 3; ++axis) {
        p.maxThreadsDim[axis] = static_cast<int>(gpu.max_block[axis]);
        p.maxGridSize[axis] = static_cast<int>(gpu.max_grid[axis]);
    }
    p.totalConstMem = gpu.constant_bytes;
    p.major = gpu.compute_major;
    p.minor = gpu.compute_minor;
    p.multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    p.maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    p.maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    p.memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth);
    p.l2CacheSize = attribute(cudaDevAttrL2CacheSize);
    p.persistingL2CacheMaxSize = attribute(cudaDevAttrMaxPersistingL2CacheSize);
    p.accessPolicyMaxWindowSize = attribute(cudaDevAttrMaxAccessPolicyWindowSize);
    p.asyncEngineCount = attribute(cudaDevAttrAsyncEngineCount);
    p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = p.streamPrioritiesSupported = 1;
    p.concurrentKernels = p.concurrentManagedAccess = p.computePreemptionSupported = 1;
    p.cooperativeLaunch = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
#if CUDART_VERSION < 13000
    p.clockRate = attribute(cudaDevAttrClockRate);
    p.memoryClockRate = attribute(cudaDevAttrMemoryClockRate);
    p.deviceOverlap = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
#endif
    return p;
}

}  // namespace vgpu::client
