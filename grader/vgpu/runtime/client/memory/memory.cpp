// Allocation: device memory, and host memory that the device sees.
#include "runtime/client/memory/memory.h"

#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "runtime/client/program/program_symbols.h"
#include "runtime/client/runtime.h"
#include "runtime/client/streams.h"
#include "vgpu/extension.h"
#include "vgpu/gpu.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

void set_stream(Runtime& rt, wire::Request& request, const cudaStream_t* stream) {
    if (stream == nullptr) return;
    request.in_stream = 1;
    request.stream = stream_number(rt, *stream);
}

Status allocate_pinned(Runtime& rt, void** pointer, std::uint64_t bytes) {
    if (pointer == nullptr) return kNull;
    *pointer = nullptr;
    if (bytes == 0) return {};
    if (auto refused = refuse_unsafe()) return *refused;
    return rt.share(wire::Shared::pinned, bytes, pointer);
}

/// Not in the order of a stream, as cudaMallocAsync does.
Status allocate_at_once(Runtime& rt, void** pointer, std::uint64_t bytes) {
    if (pointer != nullptr && bytes != 0) {
        if (auto refused = refuse_unsafe()) return *refused;
    }
    return allocate(rt, pointer, bytes);
}

Status release_pinned(Runtime& rt, void* pointer) {
    if (auto refused = refuse_unsafe()) return *refused;
    if (pointer == nullptr) return {};
    const SharedRange* const range = rt.shared_range(pointer);
    if (range == nullptr || range->kind != wire::Shared::pinned ||
        rt.shared_start(pointer) != pointer) {
        return {cudaErrorInvalidValue,
                "not the start of memory from cudaMallocHost or cudaHostAlloc"};
    }
    return rt.unshare(pointer);
}

/// Hints about managed memory have no effect, but a wrong range is still an error.
Status check_managed(Runtime& rt, const void* pointer, size_t bytes) {
    const SharedRange* const range = rt.shared_range(pointer);
    if (range == nullptr || range->kind != wire::Shared::managed || bytes == 0 ||
        bytes > range->bytes - static_cast<std::uint64_t>(
                                   static_cast<const char*>(pointer) -
                                   static_cast<const char*>(rt.shared_start(pointer)))) {
        return {cudaErrorInvalidValue, "the range is not inside memory from cudaMallocManaged"};
    }
    return {};
}

}  // namespace

Status vgpu::client::allocate(Runtime& rt, void** pointer, std::uint64_t bytes,
                              const cudaStream_t* stream, bool pool_grows) {
    if (pointer == nullptr) return kNull;
    if (bytes == 0) {
        *pointer = nullptr;
        return {};
    }
    wire::Request request = rt.request(wire::Op::allocate);
    request.bytes = bytes;
    request.value = pool_grows ? 1 : 0;
    set_stream(rt, request, stream);
    program_callers(request.callers);
    const wire::Reply reply = rt.exchange(request);
    if (reply.error == cudaSuccess) *pointer = reinterpret_cast<void*>(reply.address);
    return Status(reply);
}

Status vgpu::client::release(Runtime& rt, void* pointer, const cudaStream_t* stream) {
    rt.flush_printed();
    if (pointer == nullptr || release_graph_memory(pointer)) return {};
    if (const SharedRange* const range = rt.shared_range(pointer); range != nullptr) {
        if (range->kind == wire::Shared::pinned) {
            return {cudaErrorInvalidValue, "pinned host memory is freed with cudaFreeHost"};
        }
        if (rt.shared_start(pointer) == pointer) return rt.unshare(pointer);
    }
    wire::Request request = rt.request(wire::Op::release);
    request.to = reinterpret_cast<std::uint64_t>(pointer);
    set_stream(rt, request, stream);
    const wire::Reply reply = rt.exchange(request);
    if (reply.error == cudaSuccess) forget_piece(pointer);
    return Status(reply);
}

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return call("cudaMalloc", [&](Runtime& rt) { return allocate_at_once(rt, pointer, bytes); });
}

cudaError_t cudaFree(void* pointer) {
    return call("cudaFree", [&](Runtime& rt) {
        const auto refused = refuse_unsafe();  // even of a null pointer, as an H200 does
        return refused ? *refused : release(rt, pointer);
    });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call("cudaFreeAsync", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        if (is_capturing(stream)) return capture_release(stream, pointer);
        return release(rt, pointer, &stream);
    });
}
VGPU_ALIAS(cudaFreeAsync_ptsz, cudaFreeAsync);

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width_bytes, size_t height) {
    return call("cudaMallocPitch", [&](Runtime& rt) -> Status {
        if (pointer == nullptr || pitch == nullptr) return kNull;
        const std::size_t unit = vgpu::model::modelled_gpu().pitch_alignment_bytes;
        std::size_t row = 0, total = 0;
        if (__builtin_add_overflow(width_bytes, unit - 1, &row) ||
            __builtin_mul_overflow(row / unit * unit, height, &total)) {
            return {cudaErrorMemoryAllocation, "the size is no number"};
        }
        const Status status = allocate_at_once(rt, pointer, total);
        if (!status.failed()) *pitch = total == 0 ? 0 : row / unit * unit;
        return status;
    });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    if (pitched == nullptr) return remember(cudaErrorInvalidValue);
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
        return remember(cudaErrorMemoryAllocation);
    }
    *pitched = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width, rows);
}

size_t vgpu_pinned_bytes() {
    size_t bytes = 0;
    call("vgpu_pinned_bytes", [&](Runtime& rt) -> Status {
        bytes = rt.pinned_bytes();
        return {};
    });
    return bytes;
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return call("cudaMallocHost", [&](Runtime& rt) { return allocate_pinned(rt, pointer, bytes); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
    constexpr unsigned kKnown =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    return call("cudaHostAlloc", [&](Runtime& rt) -> Status {
        if ((flags & ~kKnown) != 0) return {cudaErrorInvalidValue, "unknown flags"};
        return allocate_pinned(rt, pointer, bytes);
    });
}

cudaError_t cudaFreeHost(void* pointer) {
    return call("cudaFreeHost", [&](Runtime& rt) { return release_pinned(rt, pointer); });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return call("cudaHostGetDevicePointer", [&](Runtime& rt) -> Status {
        if (device == nullptr) return kNull;
        if (flags != 0) return {cudaErrorInvalidValue, "flags must be 0"};
        *device = rt.shared_range(host) != nullptr ? host  // one address in both
                                                   : registered_for_device(host);
        if (*device != nullptr) return {};
        return {cudaErrorInvalidValue,
                "not in memory from cudaMallocHost, cudaHostAlloc or cudaHostRegister"};
    });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    return call("cudaMallocManaged", [&](Runtime& rt) -> Status {
        if (pointer == nullptr) return kNull;
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
            return {cudaErrorInvalidValue, "unknown flags"};
        }
        // An H200 answers 0 bytes with success and a null pointer, as cudaMalloc does.
        *pointer = nullptr;
        if (bytes == 0) return {};
        if (auto refused = refuse_unsafe()) return *refused;
        return rt.share(wire::Shared::managed, bytes, pointer);
    });
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
    const bool is_known = location.type != cudaMemLocationTypeDevice || location.id == 0;
#else
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
    const bool is_known = device == 0 || device == cudaCpuDeviceId;
    const unsigned flags = 0;
#endif
    return call("cudaMemPrefetchAsync", [&](Runtime& rt) -> Status {
        if (!is_known) return {cudaErrorInvalidDevice, "there is only device 0"};
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        if (flags != 0) return {cudaErrorInvalidValue, "flags must be 0"};
        return check_managed(rt, pointer, bytes);
    });
}
VGPU_ALIAS(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);

#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
    const bool is_known = location.type != cudaMemLocationTypeDevice || location.id == 0;
#else
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
    const bool is_known = device == 0 || device == cudaCpuDeviceId;
#endif
    return call("cudaMemAdvise", [&](Runtime& rt) -> Status {
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
            return {cudaErrorInvalidValue, "no such advice"};
        }
        if (!is_known) return {cudaErrorInvalidDevice, "there is only device 0"};
        return check_managed(rt, pointer, bytes);
    });
}

/// Which stream managed memory belongs to matters where the host must not touch it meanwhile; here
/// it always may.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                     unsigned flags) {
    return call("cudaStreamAttachMemAsync", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
            flags != cudaMemAttachSingle) {
            return {cudaErrorInvalidValue, "unknown flags"};
        }
        return check_managed(rt, pointer, bytes == 0 ? 1 : bytes);  // 0: all of it
    });
}
VGPU_ALIAS(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
    return call("cudaMemGetInfo", [&](Runtime& rt) {
        const wire::Reply reply = rt.exchange(rt.request(wire::Op::memory));
        if (reply.error == cudaSuccess && free_bytes != nullptr) *free_bytes = reply.address;
        if (reply.error == cudaSuccess && total_bytes != nullptr) *total_bytes = reply.bytes;
        return Status(reply);
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call("cudaPointerGetAttributes", [&](Runtime& rt) -> Status {
        if (attributes == nullptr) return kNull;
        *attributes = {};
        void* const address = const_cast<void*>(pointer);
        if (const SharedRange* const range = rt.shared_range(pointer); range != nullptr) {
            const bool is_managed = range->kind == wire::Shared::managed;
            attributes->type = is_managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
            attributes->devicePointer = attributes->hostPointer = address;
            return {};
        }
        if (void* const device = registered_for_device(pointer); device != nullptr) {
            attributes->type = cudaMemoryTypeHost;
            attributes->devicePointer = device;
            attributes->hostPointer = address;
            return {};
        }
        wire::Request request = rt.request(wire::Op::look_up);
        request.to = reinterpret_cast<std::uint64_t>(pointer);
        const wire::Reply reply = rt.exchange(request);
        if (reply.bytes > 0) {
            attributes->type = cudaMemoryTypeDevice;
            attributes->devicePointer = address;
        } else {
            attributes->type = cudaMemoryTypeUnregistered;
            attributes->device = cudaInvalidDeviceId;
            attributes->hostPointer = address;
        }
        return Status(reply);
    });
}

cudaError_t vgpu_begin_call() {
    return call("vgpu_begin_call", [&](Runtime& rt) -> Status {
        fill_pool();
        return Status(rt.exchange(rt.request(wire::Op::begin_call)));
    });
}

cudaError_t vgpu_forget(void* pointer, size_t bytes) {
    return call("vgpu_forget", [&](Runtime& rt) {
        wire::Request request = rt.request(wire::Op::forget);
        request.to = reinterpret_cast<std::uint64_t>(pointer);
        request.bytes = bytes;
        return Status(rt.exchange(request));
    });
}

}  // extern "C"
