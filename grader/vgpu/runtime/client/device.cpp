// The one device: what it is, how to wait for it, how to start afresh.
#include <cstdio>
#include <cstring>

#include "vgpu/model/gpu.h"
#include "vgpu/runtime/client/program.h"
#include "vgpu/runtime/client/runtime.h"
#include "vgpu/runtime/client/streams.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;
using vgpu::model::h200;

namespace {

constexpr std::size_t kPrintBufferBytes = 1 << 20;  // Options::printed_limit_bytes

const Status kNull{cudaErrorInvalidValue, "the pointer to the result is null"};
const Status kNoSuchDevice{cudaErrorInvalidDevice, "there is only device 0"};

/// Questions about the device are answered even after a kernel has failed, as on a GPU: only
/// whether there is one matters.
template <typename Body>
cudaError_t about_device(const char* function, Body body) {
    Call running(function);
    Status status = running.ready();
    if (status.error != cudaErrorNoDevice && status.error != cudaErrorInitializationError) {
        status = body(running.runtime());
    }
    return running.finish(status);
}

/// Values of an H200; 0 for what the virtual GPU cannot do. Nothing for what nobody has asked yet.
bool attribute(cudaDeviceAttr which, int& value) {
    const vgpu::model::Gpu& gpu = h200();
    const auto is = [&](auto number) {
        value = static_cast<int>(number);
        return true;
    };
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
        case cudaDevAttrWarpSize: return is(vgpu::model::kWarpSize);
        case cudaDevAttrMaxPitch: return is(2147483647);
        case cudaDevAttrMaxRegistersPerBlock: return is(gpu.registers_per_block);
        case cudaDevAttrMaxRegistersPerMultiprocessor: return is(gpu.registers_per_multiprocessor);
        case cudaDevAttrClockRate: return is(gpu.clock_khz);
        case cudaDevAttrMemoryClockRate: return is(gpu.memory_clock_khz);
        case cudaDevAttrGlobalMemoryBusWidth: return is(gpu.memory_bus_bits);
        case cudaDevAttrL2CacheSize: return is(gpu.l2_bytes);
        case cudaDevAttrMultiProcessorCount: return is(gpu.multiprocessors);
        case cudaDevAttrMaxThreadsPerMultiProcessor: return is(gpu.threads_per_multiprocessor);
        case cudaDevAttrMaxBlocksPerMultiprocessor: return is(gpu.blocks_per_multiprocessor);
        case cudaDevAttrComputeCapabilityMajor: return is(gpu.compute_major);
        case cudaDevAttrComputeCapabilityMinor: return is(gpu.compute_minor);
        case cudaDevAttrComputeMode: return is(cudaComputeModeDefault);
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrStreamPrioritiesSupported: return is(1);
        case cudaDevAttrAsyncEngineCount: return is(3);
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrIntegrated:
        case cudaDevAttrTccDriver:
        case cudaDevAttrIsMultiGpuBoard:
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrHostRegisterSupported:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMemoryPoolsSupported:
        case cudaDevAttrClusterLaunch:
        case cudaDevAttrEccEnabled: return is(0);
        default: return false;
            // clang-format on
    }
}

int attribute(cudaDeviceAttr which) {
    int value = 0;
    attribute(which, value);
    return value;
}

cudaDeviceProp properties(std::uint64_t memory_bytes) {
    const vgpu::model::Gpu& gpu = h200();
    cudaDeviceProp p{};
    std::snprintf(p.name, sizeof(p.name), "%s", gpu.name);
    p.totalGlobalMem = memory_bytes;
    p.sharedMemPerBlock = gpu.shared_bytes_per_block;
    p.sharedMemPerBlockOptin = gpu.shared_bytes_per_block_opt_in;
    p.sharedMemPerMultiprocessor = gpu.shared_bytes_per_multiprocessor;
    p.reservedSharedMemPerBlock = gpu.reserved_shared_bytes_per_block;
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
    p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = p.streamPrioritiesSupported = 1;
    p.concurrentKernels = p.concurrentManagedAccess = 1;
    p.asyncEngineCount = attribute(cudaDevAttrAsyncEngineCount);
#if CUDART_VERSION < 13000
    p.clockRate = attribute(cudaDevAttrClockRate);
    p.memoryClockRate = attribute(cudaDevAttrMemoryClockRate);
#endif
    return p;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return about_device("cudaGetDeviceCount", [&](Runtime&) -> Status {
        if (count == nullptr) return kNull;
        *count = 1;
        return {};
    });
}

cudaError_t cudaGetDevice(int* device) {
    return about_device("cudaGetDevice", [&](Runtime&) -> Status {
        if (device == nullptr) return kNull;
        *device = 0;
        return {};
    });
}

cudaError_t cudaSetDevice(int device) {
    return about_device("cudaSetDevice",
                        [&](Runtime&) { return device == 0 ? Status() : kNoSuchDevice; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* result, int device) {
    return about_device("cudaGetDeviceProperties", [&](Runtime& rt) -> Status {
        if (result == nullptr) return kNull;
        if (device != 0) return kNoSuchDevice;
        *result = properties(rt.exchange(rt.request(wire::Op::memory)).bytes);
        return {};
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
    return about_device("cudaDeviceGetAttribute", [&](Runtime&) -> Status {
        if (value == nullptr) return kNull;
        if (device != 0) return kNoSuchDevice;
        if (which <= 0 || which >= cudaDevAttrMax) {
            return {cudaErrorInvalidValue, "no such attribute"};
        }
        if (attribute(which, *value)) return {};
        say("cudaDeviceGetAttribute: the virtual GPU has no value for attribute %d; it would be "
            "added "
            "in grader/vgpu/runtime/client/device.cpp",
            static_cast<int>(which));
        return {cudaErrorNotSupported, "no value for attribute " + std::to_string(which)};
    });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return about_device("cudaSetDeviceFlags", [&](Runtime&) -> Status {
        // How the host waits, which makes no difference here.
        return (flags & ~unsigned{cudaDeviceMask}) == 0
                   ? Status()
                   : Status(cudaErrorInvalidValue, "unknown flags");
    });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return about_device("cudaGetDeviceFlags", [&](Runtime&) -> Status {
        if (flags == nullptr) return kNull;
        *flags = cudaDeviceMapHost;
        return {};
    });
}

cudaError_t cudaDeviceReset() {
    return about_device("cudaDeviceReset", [&](Runtime& rt) {
        rt.flush_printed();
        const wire::Reply reply = rt.exchange(rt.request(wire::Op::reset));
        rt.forget_shared_ranges();
        forget_streams();
        Program::instance().forget_modules();
        return Status(reply);
    });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return call("cudaDeviceGetLimit", [&](Runtime&) -> Status {
        if (value == nullptr) return kNull;
        if (limit != cudaLimitPrintfFifoSize)
            return {cudaErrorUnsupportedLimit, "no such limit here"};
        *value = kPrintBufferBytes;
        return {};
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return call("cudaDeviceSetLimit", [&](Runtime&) -> Status {
        if (limit != cudaLimitPrintfFifoSize || value > kPrintBufferBytes) {
            return {cudaErrorUnsupportedLimit, "this limit is fixed on the virtual GPU"};
        }
        return {};
    });
}

// Preferences between L1 and shared memory; a GPU may ignore them, too.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return call("cudaDeviceSetCacheConfig", [](Runtime&) { return Status(); });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return call("cudaDeviceGetCacheConfig", [&](Runtime&) -> Status {
        if (config == nullptr) return kNull;
        *config = cudaFuncCachePreferNone;
        return {};
    });
}

cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}  // no profiler is attached
cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (version == nullptr) return remember(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/// There is no driver; nothing that the runtime offers is missing for lack of a newer one.
cudaError_t cudaDriverGetVersion(int* version) {
    return cudaRuntimeGetVersion(version);
}

}  // extern "C"
