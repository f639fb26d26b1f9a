#include "runtime/client/graphs/capture.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "runtime/client/alias.h"
#include "runtime/client/memory/memory.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;

namespace {

using Nodes = std::vector<cudaGraphNode_t>;

/// One capture, from begin to end; of one or more streams.
struct Capture {
    unsigned long long id = 0;
    cudaStream_t origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread = std::this_thread::get_id();  ///< that began it
    std::shared_ptr<CUgraph_st> graph;
    cudaGraph_t handle = nullptr;  ///< of the graph, while somebody may ask for it
    bool is_given = false;         ///< the program's own graph: cudaStreamBeginCaptureToGraph
    bool is_invalid = false;
};

/// A stream that is being captured: what its next operation waits for.
struct Taking {
    std::shared_ptr<Capture> capture;
    Nodes last;
};

/// Guarded by the runtime's lock; never destroyed.
struct State {
    std::map<cudaStream_t, Taking> streams;
    std::map<cudaEvent_t, Taking> events;
    unsigned long long made = 0;
};
State& state() {
    static State& all = *new State;
    return all;
}

/// What the thread has asked for with cudaThreadExchangeStreamCaptureMode.
cudaStreamCaptureMode& mode_of_thread() {
    static thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    return mode;
}

/// Whether this thread may not make calls that are unsafe while the capture goes on.
bool forbids_unsafe_calls(const Capture& capture) {
    if (mode_of_thread() == cudaStreamCaptureModeRelaxed) return false;
    if (capture.thread == std::this_thread::get_id())
        return capture.mode != cudaStreamCaptureModeRelaxed;
    return mode_of_thread() == cudaStreamCaptureModeGlobal &&
           capture.mode == cudaStreamCaptureModeGlobal;
}

/// The thread's own stream has two names.
cudaStream_t named(cudaStream_t stream) {
    return stream == nullptr && !is_legacy(stream) ? cudaStreamPerThread : stream;
}

Taking* taking(cudaStream_t stream) {
    const auto found = state().streams.find(named(stream));
    return found == state().streams.end() ? nullptr : &found->second;
}

constexpr Refusal kInvalidated{cudaErrorStreamCaptureInvalidated,
                               "the capture went wrong earlier, see the first failed call"};

Status invalidate(Capture& capture, cudaError_t error, const char* why) {
    capture.is_invalid = true;
    return {error, why};
}

void add_to(Nodes& all, const Nodes& more) {
    for (const cudaGraphNode_t node : more) {
        if (std::find(all.begin(), all.end(), node) == all.end()) all.push_back(node);
    }
}

/// All that must be over before one of `nodes` is, and these.
std::set<cudaGraphNode_t> before(Nodes nodes) {
    std::set<cudaGraphNode_t> all;
    while (!nodes.empty()) {
        const cudaGraphNode_t node = nodes.back();
        nodes.pop_back();
        if (!all.insert(node).second) continue;
        nodes.insert(nodes.end(), node->dependencies.begin(), node->dependencies.end());
    }
    return all;
}

void forget(const Capture& capture) {
    std::erase_if(state().streams,
                  [&](const auto& entry) { return entry.second.capture.get() == &capture; });
    std::erase_if(state().events,
                  [&](const auto& entry) { return entry.second.capture.get() == &capture; });
}

Status begin(cudaStream_t stream, cudaStreamCaptureMode mode, std::shared_ptr<CUgraph_st> graph,
             cudaGraph_t handle, Nodes first) {
    if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
        return {cudaErrorInvalidValue, "no such mode"};
    }
    if (is_legacy(stream)) {
        return {cudaErrorStreamCaptureUnsupported,
                "the legacy default stream cannot be captured: create a stream"};
    }
    if (taking(stream) != nullptr) {
        return {cudaErrorIllegalState, "the stream is being captured already"};
    }
    auto capture = std::make_shared<Capture>();
    capture->id = ++state().made;
    capture->origin = named(stream);
    capture->mode = mode;
    capture->is_given = graph != nullptr;
    capture->graph = graph != nullptr ? std::move(graph) : std::make_shared<CUgraph_st>();
    capture->handle = handle;
    state().streams[named(stream)] = {capture, std::move(first)};
    return {};
}

Status end(cudaStream_t stream, cudaGraph_t* result) {
    if (result != nullptr) *result = nullptr;
    if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
    Taking* const mine = taking(stream);
    if (mine == nullptr) return {cudaErrorIllegalState, "the stream is not being captured"};
    const auto capture = mine->capture;
    if (named(stream) != capture->origin) {
        return invalidate(*capture, cudaErrorStreamCaptureUnmatched,
                          "the capture began in another stream, and must end there");
    }
    const auto joined = before(mine->last);
    bool is_joined = true;
    for (const auto& [other, taken] : state().streams) {
        if (taken.capture != capture) continue;
        for (const cudaGraphNode_t node : taken.last) is_joined &= joined.contains(node);
    }
    forget(*capture);
    if (capture->is_invalid) return kInvalidated;
    if (!is_joined) {
        return {cudaErrorStreamCaptureUnjoined,
                "another stream took part in the capture, and nothing here waits for its last "
                "operation: record an event there, and let this stream wait for it"};
    }
    if (result == nullptr) return kNull;
    *result = capture->handle != nullptr ? capture->handle : keep_graph(capture->graph);
    return {};
}

}  // namespace

std::optional<Status> vgpu::client::capture(cudaStream_t stream, cudaGraphNodeType type,
                                            const Work& work) {
    if (state().streams.empty()) return {};
    if (is_legacy(stream)) {
        for (const auto& [other, taken] : state().streams) {
            if (is_blocking(other) && taken.capture->mode != cudaStreamCaptureModeRelaxed) {
                return invalidate(*taken.capture, cudaErrorStreamCaptureImplicit,
                                  "the legacy default stream would wait for a stream that is "
                                  "being captured");
            }
        }
        return {};
    }
    Taking* const mine = taking(stream);
    if (mine == nullptr) return {};
    if (mine->capture->is_invalid) return kInvalidated;
    mine->last = {mine->capture->graph->add(type, mine->last, work)};
    return Status();
}

bool vgpu::client::may_capture() {
    return !state().streams.empty();
}

std::optional<Status> vgpu::client::capture_event(cudaEvent_t event, cudaStream_t stream) {
    forget_captured(event);
    Taking* const mine = taking(stream);
    if (mine == nullptr) return {};
    if (mine->capture->is_invalid) return kInvalidated;
    state().events[event] = *mine;
    return Status();
}

std::optional<Status> vgpu::client::capture_wait(cudaStream_t stream, cudaEvent_t event) {
    const auto captured = state().events.find(event);
    Taking* const mine = taking(stream);
    if (captured == state().events.end()) {
        if (mine == nullptr) return {};
        return invalidate(*mine->capture, cudaErrorStreamCaptureIsolation,
                          "the event was recorded outside of the capture");
    }
    const Taking& other = captured->second;
    if (is_legacy(stream)) {
        return invalidate(*other.capture, cudaErrorStreamCaptureImplicit,
                          "the legacy default stream cannot take part in a capture");
    }
    if (mine == nullptr) {
        state().streams[named(stream)] = other;
    } else if (mine->capture != other.capture) {
        return invalidate(*mine->capture, cudaErrorStreamCaptureMerge,
                          "the event belongs to another capture");
    } else {
        add_to(mine->last, other.last);
    }
    return Status();
}

std::optional<Status> vgpu::client::refuse_to_wait(const cudaStream_t* stream) {
    for (auto& [other, taken] : state().streams) {
        if (stream != nullptr && other != named(*stream)) continue;
        return invalidate(*taken.capture, cudaErrorStreamCaptureUnsupported,
                          "the host cannot wait for operations that are being captured: they are "
                          "done when the graph is launched");
    }
    return {};
}

std::optional<Status> vgpu::client::refuse_unsafe() {
    for (auto& [stream, taken] : state().streams) {
        if (!forbids_unsafe_calls(*taken.capture)) continue;
        return invalidate(*taken.capture, cudaErrorStreamCaptureUnsupported,
                          "a stream is being captured: memory must be allocated before that, and "
                          "freed after it, or with cudaMallocAsync and cudaFreeAsync in the stream "
                          "(or begin the capture with cudaStreamCaptureModeRelaxed)");
    }
    return {};
}

bool vgpu::client::is_capturing(cudaStream_t stream) {
    return taking(stream) != nullptr;
}

Status vgpu::client::capture_allocation(Runtime& rt, cudaStream_t stream, void** pointer,
                                        std::size_t bytes) {
    if (pointer == nullptr) return kNull;
    Work work;
    cudaMemAllocNodeParams parameters{};
    parameters.bytesize = bytes;
    if (Status status = make_memory(rt, &parameters, work); status.failed()) return status;
    *pointer = parameters.dptr;
    return capture(stream, cudaGraphNodeTypeMemAlloc, work).value_or(Status());
}

Status vgpu::client::capture_release(cudaStream_t stream, void* pointer) {
    return capture(stream, cudaGraphNodeTypeMemFree,
                   make_free(*taking(stream)->capture->graph, pointer))
        .value_or(Status());
}

void vgpu::client::forget_captured(cudaEvent_t event) {
    state().events.erase(event);
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return call("cudaStreamBeginCapture",
                [&](Runtime&) { return begin(stream, mode, nullptr, nullptr, {}); });
}
VGPU_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
    return call("cudaStreamBeginCaptureToGraph", [&](Runtime&) -> Status {
        const auto known = graph_of(graph);
        if (known == nullptr || (count > 0 && dependencies == nullptr)) {
            return {cudaErrorInvalidValue, "not a graph, or no dependencies"};
        }
        Nodes first(dependencies, dependencies + count);
        for (const cudaGraphNode_t node : first) {
            if (!known->has(node)) return {cudaErrorInvalidValue, "a node of another graph"};
        }
        return begin(stream, mode, known, graph, std::move(first));
    });
}
VGPU_ALIAS(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal ||
        *mode > cudaStreamCaptureModeRelaxed) {
        return remember(cudaErrorInvalidValue);
    }
    std::swap(*mode, mode_of_thread());
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return call("cudaStreamEndCapture", [&](Runtime&) { return end(stream, graph); });
}
VGPU_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return call("cudaStreamIsCapturing", [&](Runtime&) -> Status {
        if (status == nullptr) return kNull;
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        const Taking* const mine = taking(stream);
        *status = mine == nullptr             ? cudaStreamCaptureStatusNone
                  : mine->capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                              : cudaStreamCaptureStatusActive;
        return {};
    });
}
VGPU_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
    return call("cudaStreamGetCaptureInfo", [&](Runtime&) -> Status {
        if (status == nullptr) return kNull;
        if (!is_stream(stream)) return {cudaErrorInvalidResourceHandle, "not a stream"};
        Taking* const mine = taking(stream);
        *status = cudaStreamCaptureStatusNone;
        if (mine == nullptr) return {};
        *status = mine->capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                            : cudaStreamCaptureStatusActive;
        if (id != nullptr) *id = mine->capture->id;
        if (graph != nullptr) {
            if (mine->capture->handle == nullptr)
                mine->capture->handle = keep_graph(mine->capture->graph);
            *graph = mine->capture->handle;
        }
        if (dependencies != nullptr) *dependencies = mine->last.data();
        if (edges != nullptr) *edges = nullptr;
        if (count != nullptr) *count = mine->last.size();
        return {};
    });
}
VGPU_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
    return call("cudaStreamUpdateCaptureDependencies", [&](Runtime&) -> Status {
        Taking* const mine = taking(stream);
        if (mine == nullptr) return {cudaErrorIllegalState, "the stream is not being captured"};
        if (flags > cudaStreamSetCaptureDependencies || (count > 0 && dependencies == nullptr)) {
            return {cudaErrorInvalidValue, "unknown flags, or no dependencies"};
        }
        const Nodes given(dependencies, dependencies + count);
        for (const cudaGraphNode_t node : given) {
            if (!mine->capture->graph->has(node))
                return {cudaErrorInvalidValue, "a node of another graph"};
        }
        if (flags == cudaStreamSetCaptureDependencies) mine->last.clear();
        add_to(mine->last, given);
        return {};
    });
}
VGPU_ALIAS(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);
#endif

}  // extern "C"
