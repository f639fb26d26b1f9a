// Streams and events. The device process does every operation at once, so a stream's order is kept
// because all of them follow one another. When an operation would be over on a GPU, and what may
// run beside it, its timeline says; a stream is a number in it.
#include "runtime/client/streams.h"
#include "runtime/client/memory/memory.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "runtime/client/alias.h"
#include "runtime/client/graphs/capture.h"
#include "vgpu/extension.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

struct CUstream_st {
    std::uint32_t number = 0;
    unsigned flags = 0;
    int priority = 0;
};

struct CUevent_st {
    std::uint32_t number = 0;
    unsigned flags = 0;
    bool is_recorded = false;
    std::chrono::steady_clock::time_point recorded_at{};
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

/// Numbers are never used twice.
std::uint32_t streams_made = 0, events_made = 0, per_thread_streams_made = 0;

thread_local bool is_per_thread = false;

/// The thread's own stream, until cudaDeviceReset, which the number of resets shows.
struct OwnStream {
    std::uint32_t number = 0, resets = 0;
};
thread_local OwnStream own_stream;
std::uint32_t resets = 0;

std::uint32_t own_stream_number(Runtime& rt) {
    if (own_stream.number == 0 || own_stream.resets != resets) {
        wire::Request create = rt.request(wire::Op::create_stream);
        create.stream = wire::kPerThreadStreams + ++per_thread_streams_made;
        create.value = static_cast<std::uint32_t>(wire::StreamKind::per_thread);
        if (rt.exchange(create).error != cudaSuccess) return 0;
        own_stream = {create.stream, resets};
    }
    return own_stream.number;
}

bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

constexpr Refusal kNoFlags{cudaErrorInvalidValue, "no such flags"};
constexpr Refusal kNoEvent{cudaErrorInvalidResourceHandle,
                           "not an event, or one that was destroyed"};

/// `branch_of`: as create_branch has it, else null.
Status create_stream(Runtime& rt, cudaStream_t* stream, unsigned flags, int priority,
                     const cudaStream_t* branch_of = nullptr) {
    if (stream == nullptr) return kNull;
    if (flags > cudaStreamNonBlocking) return {cudaErrorInvalidValue, "unknown flags"};
    wire::Request create = rt.request(wire::Op::create_stream);
    create.stream = ++streams_made;
    create.value =
        static_cast<std::uint32_t>(branch_of != nullptr             ? wire::StreamKind::graph_branch
                                   : flags == cudaStreamNonBlocking ? wire::StreamKind::non_blocking
                                                                    : wire::StreamKind::blocking);
    if (branch_of != nullptr) create.event = stream_number(rt, *branch_of);
    const wire::Reply reply = rt.exchange(create);
    if (reply.error != cudaSuccess) return Status(reply);
    *stream = new CUstream_st{create.stream, flags,
                              std::clamp(priority, kHighestPriority, kLowestPriority)};
    streams().insert(*stream);
    return {};
}

Status create_event(cudaEvent_t* event, unsigned flags) {
    constexpr unsigned kKnown =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (event == nullptr) return kNull;
    if ((flags & ~kKnown) != 0) return {cudaErrorInvalidValue, "unknown flags"};
    *event = new CUevent_st{++events_made, flags, false, {}};
    events().insert(*event);
    return {};
}

/// cudaStreamAddCallback cannot be captured.
std::optional<Status> capture_refused(cudaStream_t stream) {
    if (!is_capturing(stream)) return {};
    return Status(cudaErrorStreamCaptureUnsupported,
                  "a callback cannot be captured: use cudaLaunchHostFunc");
}

/// A request about a stream.
Status tell(Runtime& rt, wire::Op op, cudaStream_t stream, std::uint32_t event = 0) {
    wire::Request request = rt.request(op);
    request.stream = stream_number(rt, stream);
    request.event = event;
    return Status(rt.exchange(request));
}

Status query(Runtime& rt, wire::Scope scope, std::uint32_t stream, std::uint32_t event) {
    wire::Request request = rt.request(wire::Op::query);
    request.value = static_cast<std::uint32_t>(scope);
    request.stream = stream;
    request.event = event;
    return Status(rt.exchange(request));
}

/// Waiting shows what kernels printed, and what went wrong in them.
Status wait(Runtime& rt, wire::Scope scope, std::uint32_t stream, std::uint32_t event) {
    wire::Request request = rt.request(wire::Op::synchronize);
    request.value = static_cast<std::uint32_t>(scope);
    request.stream = stream;
    request.event = event;
    const wire::Reply reply = rt.exchange(request);
    rt.flush_printed();
    shrink_pools();
    return Status(reply);
}

/// Puts a function of the program into a stream. It runs in this call, when all before it is over.
Status host_function(Runtime& rt, cudaStream_t stream) {
    const Status status = tell(rt, wire::Op::host_function, stream);
    rt.flush_printed();
    return status;
}

/// VGPU_CLOCK=host: events show the time that this machine takes, not the modelled GPU's.
bool uses_host_clock() {
    static const bool uses = [] {
        const char* const clock = std::getenv("VGPU_CLOCK");
        return clock != nullptr && std::strcmp(clock, "host") == 0;
    }();
    return uses;
}

}  // namespace

bool vgpu::client::is_stream(cudaStream_t stream) {
    return is_default(stream) || streams().contains(stream);
}

bool vgpu::client::is_legacy(cudaStream_t stream) {
    return stream == cudaStreamLegacy || (stream == nullptr && !is_per_thread);
}

bool vgpu::client::is_blocking(cudaStream_t stream) {
    return stream == cudaStreamPerThread ||
           (streams().contains(stream) && stream->flags != cudaStreamNonBlocking);
}

std::uint32_t vgpu::client::stream_number(Runtime& rt, cudaStream_t stream) {
    if (stream == cudaStreamPerThread || (stream == nullptr && is_per_thread)) {
        return own_stream_number(rt);
    }
    return is_default(stream) ? 0 : stream->number;
}

void vgpu::client::forget_streams() {
    streams().clear();  // not deleted: a handle must never be mistaken for a later one
    events().clear();
    ++resets;
}

DefaultStreamPerThread::DefaultStreamPerThread() : before_(std::exchange(is_per_thread, true)) {}
DefaultStreamPerThread::~DefaultStreamPerThread() {
    is_per_thread = before_;
}

cudaError_t vgpu::client::create_branch(cudaStream_t* branch, cudaStream_t of) {
    return call("cudaGraphLaunch", [&](Runtime& rt) {
        return create_stream(rt, branch, cudaStreamNonBlocking, 0, &of);
    });
}

extern "C" {

size_t vgpu_live_handles() {
    size_t count = 0;
    call("vgpu_live_handles", [&](Runtime&) -> Status {
        count = streams().size() + events().size();
        return {};
    });
    return count;
}

bool vgpu_is_live(const void* handle) {
    bool is_live = false;
    call("vgpu_is_live", [&](Runtime&) -> Status {
        const auto is_it = [=](const void* known) { return known == handle; };
        is_live = std::ranges::any_of(streams(), is_it) || std::ranges::any_of(events(), is_it);
        return {};
    });
    return is_live;
}

cudaError_t vgpu_occupy(cudaStream_t stream, unsigned microseconds) {
    return call("vgpu_occupy", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return kNoStream;
        wire::Request request = rt.request(wire::Op::occupy);
        request.stream = stream_number(rt, stream);
        request.value = microseconds;
        return Status(rt.exchange(request));
    });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return call("cudaStreamCreate", [&](Runtime& rt) { return create_stream(rt, stream, 0, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return call("cudaStreamCreateWithFlags",
                [&](Runtime& rt) { return create_stream(rt, stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return call("cudaStreamCreateWithPriority",
                [&](Runtime& rt) { return create_stream(rt, stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call("cudaStreamDestroy", [&](Runtime& rt) -> Status {
        if (!streams().contains(stream)) return kNoStream;
        const Status status = tell(rt, wire::Op::destroy_stream, stream);
        streams().erase(stream);
        delete stream;
        return status;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call("cudaStreamSynchronize", [&](Runtime& rt) -> Status {
        if (const auto refused = refuse_to_wait(&stream)) return *refused;
        return is_stream(stream) ? wait(rt, wire::Scope::stream, stream_number(rt, stream), 0)
                                 : kNoStream;
    });
}
VGPU_ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);

cudaError_t cudaDeviceSynchronize() {
    return call("cudaDeviceSynchronize", [&](Runtime& rt) -> Status {
        if (const auto refused = refuse_to_wait(nullptr)) return *refused;
        return wait(rt, wire::Scope::device, 0, 0);
    });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return call("cudaStreamQuery", [&](Runtime& rt) -> Status {
        if (const auto refused = refuse_to_wait(&stream)) return *refused;
        return is_stream(stream) ? query(rt, wire::Scope::stream, stream_number(rt, stream), 0)
                                 : kNoStream;
    });
}
VGPU_ALIAS(cudaStreamQuery_ptsz, cudaStreamQuery);

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return call("cudaStreamWaitEvent", [&](Runtime& rt) -> Status {
        if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return kNoFlags;
        if (!is_stream(stream)) return kNoStream;
        if (!events().contains(event)) return kNoEvent;
        if (flags == cudaEventWaitExternal) {
            const Replay again([=](cudaStream_t in) { return cudaStreamWaitEvent(in, event, 0); });
            if (const auto captured = capture(stream, cudaGraphNodeTypeWaitEvent, again))
                return *captured;
        }
        if (const auto captured = capture_wait(stream, event)) return *captured;
        return tell(rt, wire::Op::wait_event, stream, event->number);
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
    bool is_captured = false;
    const cudaError_t error = call("cudaLaunchHostFunc", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return kNoStream;
        if (function == nullptr) return {cudaErrorInvalidValue, "the function is null"};
        const auto captured =
            capture(stream, cudaGraphNodeTypeHost, cudaHostNodeParams{function, data});
        is_captured = captured.has_value();
        return is_captured ? *captured : host_function(rt, stream);
    });
    if (error == cudaSuccess && !is_captured) {  // outside the lock
        const InHostFunction now;
        function(data);
    }
    return error;
}
VGPU_ALIAS(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
    const cudaError_t error = call("cudaStreamAddCallback", [&](Runtime& rt) -> Status {
        if (!is_stream(stream)) return kNoStream;
        if (function == nullptr) return {cudaErrorInvalidValue, "the function is null"};
        if (flags != 0) return {cudaErrorInvalidValue, "flags must be 0"};
        if (const auto refused = capture_refused(stream)) return *refused;
        return host_function(rt, stream);
    });
    if (error == cudaSuccess) {
        const InHostFunction now;
        function(stream, cudaSuccess, data);
    }
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
    return call("cudaEventDestroy", [&](Runtime& rt) -> Status {
        if (!events().contains(event)) return kNoEvent;
        const Status status = tell(rt, wire::Op::forget_event, nullptr, event->number);
        forget_captured(event);
        events().erase(event);
        delete event;
        return status;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call("cudaEventRecord", [&](Runtime& rt) -> Status {
        if (!events().contains(event)) return kNoEvent;
        if (!is_stream(stream)) return kNoStream;
        if (const auto captured = capture_event(event, stream)) return *captured;
        const Status status = tell(rt, wire::Op::record_event, stream, event->number);
        if (!status.failed()) event->is_recorded = true;
        event->recorded_at = std::chrono::steady_clock::now();
        return status;
    });
}
VGPU_ALIAS(cudaEventRecord_ptsz, cudaEventRecord);

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    if (flags == cudaEventRecordDefault) return cudaEventRecord(event, stream);
    bool is_captured = false;
    const cudaError_t error = call("cudaEventRecordWithFlags", [&](Runtime&) -> Status {
        if (flags != cudaEventRecordExternal) return kNoFlags;
        if (!events().contains(event)) return kNoEvent;
        if (!is_stream(stream)) return kNoStream;
        const Replay record([=](cudaStream_t in) { return cudaEventRecord(event, in); });
        const auto captured = capture(stream, cudaGraphNodeTypeEventRecord, record);
        is_captured = captured.has_value();
        return is_captured ? *captured : Status();
    });
    return error != cudaSuccess || is_captured ? error : cudaEventRecord(event, stream);
}
VGPU_ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return call("cudaEventSynchronize", [&](Runtime& rt) {
        return events().contains(event) ? wait(rt, wire::Scope::event, 0, event->number) : kNoEvent;
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return call("cudaEventQuery", [&](Runtime& rt) {
        return events().contains(event) ? query(rt, wire::Scope::event, 0, event->number)
                                        : kNoEvent;
    });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    return call("cudaEventElapsedTime", [&](Runtime& rt) -> Status {
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
        wire::Request request = rt.request(wire::Op::elapsed);
        request.from = start->number;
        request.to = end->number;
        const wire::Reply reply = rt.exchange(request);
        if (reply.error != cudaSuccess) return Status(reply);
        *ms = static_cast<float>(static_cast<double>(reply.elapsed_ns) * 1e-6);
        if (uses_host_clock()) {
            const std::chrono::duration<float, std::milli> real =
                end->recorded_at - start->recorded_at;
            *ms = real.count();
        }
        return {};
    });
}

}  // extern "C"
