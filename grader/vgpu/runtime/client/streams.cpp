// Streams and events. Every operation is done when its call returns: a stream's order is kept
// because all of them follow one another, and an event has always happened. Its time is the
// modelled clock's.
#include "vgpu/runtime/client/streams.h"

#include <algorithm>
#include <set>

#include "vgpu/runtime/client/alias.h"
#include "vgpu/runtime/client/runtime.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

struct CUstream_st {
    unsigned flags = 0;
    int priority = 0;
};

struct CUevent_st {
    unsigned flags = 0;
    bool is_recorded = false;
    std::uint64_t clock_ns = 0;
};

namespace {

constexpr int kLowestPriority = 0, kHighestPriority = -5;

/// Guarded by the runtime's lock; never destroyed, as programs may call until their very end.
std::set<cudaStream_t>& streams() {
    static std::set<cudaStream_t>& all = *new std::set<cudaStream_t>;
    return all;
}

std::set<cudaEvent_t>& events() {
    static std::set<cudaEvent_t>& all = *new std::set<cudaEvent_t>;
    return all;
}

bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

const Status kNoStream{cudaErrorInvalidResourceHandle, "not a stream, or one that was destroyed"};
const Status kNoEvent{cudaErrorInvalidResourceHandle, "not an event, or one that was destroyed"};
const Status kNull{cudaErrorInvalidValue, "the pointer to the result is null"};

Status create_stream(cudaStream_t* stream, unsigned flags, int priority) {
    if (stream == nullptr) return kNull;
    if (flags > cudaStreamNonBlocking) return {cudaErrorInvalidValue, "unknown flags"};
    *stream = new CUstream_st{flags, std::clamp(priority, kHighestPriority, kLowestPriority)};
    streams().insert(*stream);
    return {};
}

Status create_event(cudaEvent_t* event, unsigned flags) {
    constexpr unsigned kKnown =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (event == nullptr) return kNull;
    if ((flags & ~kKnown) != 0) return {cudaErrorInvalidValue, "unknown flags"};
    *event = new CUevent_st{flags, false, 0};
    events().insert(*event);
    return {};
}

/// Waiting shows what kernels printed, and what went wrong in them.
Status wait(Runtime& rt) {
    const wire::Reply reply = rt.exchange(rt.request(wire::Op::synchronize));
    rt.flush_printed();
    return Status(reply);
}

}  // namespace

bool vgpu::client::is_stream(cudaStream_t stream) {
    return is_default(stream) || streams().contains(stream);
}

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return call("cudaStreamCreate", [&](Runtime&) { return create_stream(stream, 0, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return call("cudaStreamCreateWithFlags",
                [&](Runtime&) { return create_stream(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return call("cudaStreamCreateWithPriority",
                [&](Runtime&) { return create_stream(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call("cudaStreamDestroy", [&](Runtime&) -> Status {
        if (streams().erase(stream) == 0) return kNoStream;
        delete stream;
        return {};
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call("cudaStreamSynchronize",
                [&](Runtime& rt) { return is_stream(stream) ? wait(rt) : kNoStream; });
}
VGPU_ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return call("cudaStreamQuery",
                [&](Runtime&) { return is_stream(stream) ? Status() : kNoStream; });
}
VGPU_ALIAS(cudaStreamQuery_ptsz, cudaStreamQuery);

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return call("cudaStreamWaitEvent", [&](Runtime&) -> Status {
        if (!is_stream(stream)) return kNoStream;
        return events().contains(event) ? Status() : kNoEvent;
    });
}
VGPU_ALIAS(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    return call("cudaStreamGetFlags", [&](Runtime&) -> Status {
        if (flags == nullptr) return kNull;
        if (!is_stream(stream)) return kNoStream;
        *flags = is_default(stream) ? cudaStreamDefault : stream->flags;
        return {};
    });
}
VGPU_ALIAS(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return call("cudaStreamGetPriority", [&](Runtime&) -> Status {
        if (priority == nullptr) return kNull;
        if (!is_stream(stream)) return kNoStream;
        *priority = is_default(stream) ? kLowestPriority : stream->priority;
        return {};
    });
}
VGPU_ALIAS(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
    if (lowest != nullptr) *lowest = kLowestPriority;
    if (highest != nullptr) *highest = kHighestPriority;
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    const cudaError_t error = call("cudaLaunchHostFunc", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return kNoStream;
        if (function == nullptr) return {cudaErrorInvalidValue, "the function is null"};
        return wait(rt);
    });
    if (error == cudaSuccess) function(data);  // outside the lock
    return error;
}
VGPU_ALIAS(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
    const cudaError_t error = call("cudaStreamAddCallback", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return kNoStream;
        if (function == nullptr) return {cudaErrorInvalidValue, "the function is null"};
        if (flags != 0) return {cudaErrorInvalidValue, "flags must be 0"};
        return wait(rt);
    });
    if (error == cudaSuccess) function(stream, cudaSuccess, data);
    return error;
}
VGPU_ALIAS(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return call("cudaEventCreate", [&](Runtime&) { return create_event(event, 0); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return call("cudaEventCreateWithFlags", [&](Runtime&) { return create_event(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call("cudaEventDestroy", [&](Runtime&) -> Status {
        if (events().erase(event) == 0) return kNoEvent;
        delete event;
        return {};
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call("cudaEventRecord", [&](Runtime& rt) -> Status {
        if (!events().contains(event)) return kNoEvent;
        if (!is_stream(stream)) return kNoStream;
        event->is_recorded = true;
        event->clock_ns = rt.clock_ns();
        return {};
    });
}
VGPU_ALIAS(cudaEventRecord_ptsz, cudaEventRecord);

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}
VGPU_ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return call("cudaEventSynchronize",
                [&](Runtime& rt) { return events().contains(event) ? wait(rt) : kNoEvent; });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return call("cudaEventQuery",
                [&](Runtime&) { return events().contains(event) ? Status() : kNoEvent; });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    return call("cudaEventElapsedTime", [&](Runtime&) -> Status {
        if (ms == nullptr) return kNull;
        if (!events().contains(start) || !events().contains(end)) return kNoEvent;
        for (const cudaEvent_t event : {start, end}) {
            if (!event->is_recorded) {
                return {cudaErrorInvalidResourceHandle, "an event that was not recorded"};
            }
            if ((event->flags & cudaEventDisableTiming) != 0) {
                return {cudaErrorInvalidResourceHandle,
                        "an event made with cudaEventDisableTiming"};
            }
        }
        const double ns = static_cast<double>(end->clock_ns) - static_cast<double>(start->clock_ns);
        *ms = static_cast<float>(ns * 1e-6);
        return {};
    });
}

}  // extern "C"
