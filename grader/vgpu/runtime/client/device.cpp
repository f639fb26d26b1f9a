// The one device: what it is, how to wait for it, how to start afresh.
#include <cstdio>
#include <cstring>

#include "runtime/client/attributes.h"
#include "runtime/client/memory/arrays.h"
#include "runtime/client/memory/memory.h"
#include "runtime/client/program/program.h"
#include "runtime/client/runtime.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

/// No other device is on the virtual bus.
constexpr const char* kBusId = "0000:00:00.0";

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
        *value = attribute(which);
        return {};
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

/// All that the one device cannot do, the next best one could not do either.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    return about_device("cudaChooseDevice", [&](Runtime&) -> Status {
        if (device == nullptr || wanted == nullptr) return kNull;
        *device = 0;
        return {};
    });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return cudaSetDevice(device);
}

cudaError_t cudaDeviceGetPCIBusId(char* name, int bytes, int device) {
    return about_device("cudaDeviceGetPCIBusId", [&](Runtime&) -> Status {
        if (name == nullptr || bytes <= 0) return kNull;
        if (device != 0) return kNoSuchDevice;
        std::snprintf(name, static_cast<std::size_t>(bytes), "%s", kBusId);
        return {};
    });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* name) {
    return about_device("cudaDeviceGetByPCIBusId", [&](Runtime&) -> Status {
        if (device == nullptr || name == nullptr) return kNull;
        if (std::strcmp(name, kBusId) != 0) return kNoSuchDevice;
        *device = 0;
        return {};
    });
}

/// The driver API is not there: no name leads to a function.
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
    if (name == nullptr || function == nullptr) return remember(cudaErrorInvalidValue);
    *function = nullptr;
    if (result == nullptr) return remember(cudaErrorSymbolNotFound);
    *result = cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}

cudaError_t cudaDeviceReset() {
    return about_device("cudaDeviceReset", [&](Runtime& rt) {
        rt.flush_printed();
        forget_registered(rt);
        const wire::Reply reply = rt.exchange(rt.request(wire::Op::reset));
        rt.forget_shared_ranges();
        forget_streams();
        forget_arrays();
        forget_pools();
        Program::instance().forget_modules();
        return Status(reply);
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

// The width of shared memory's banks, which only GPUs of 2012 could change: 4 bytes on all since.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return call("cudaDeviceSetSharedMemConfig", [](Runtime&) { return Status(); });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return call("cudaDeviceGetSharedMemConfig", [&](Runtime&) -> Status {
        if (config == nullptr) return kNull;
        *config = cudaSharedMemBankSizeFourByte;
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
