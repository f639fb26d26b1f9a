// Stream capture: between cudaStreamBeginCapture and cudaStreamEndCapture the operations of a
// stream, and of streams that wait for its events, become nodes of a graph and are not executed.
#pragma once

#include <optional>

#include "runtime/client/graphs/graphs.h"
#include "runtime/client/runtime.h"

// Every function that puts something into a stream asks first:
//
//     if (auto captured = capture(stream, cudaGraphNodeTypeMemset, work)) return *captured;
//
// All need the runtime's lock.

namespace vgpu::client {

/// Makes the work a node if the stream is being captured; nothing if it is not. An operation of the
/// legacy default stream, which would wait for a stream that is being captured, is an error.
std::optional<Status> capture(cudaStream_t, cudaGraphNodeType, const Work&);
/// Whether any stream is being captured: what is made for nothing otherwise need not be made.
bool may_capture();
/// The event is recorded in a stream that is being captured.
std::optional<Status> capture_event(cudaEvent_t, cudaStream_t);
/// The stream waits for an event that was captured, and so takes part in the capture from now on.
std::optional<Status> capture_wait(cudaStream_t, cudaEvent_t);
/// The host cannot wait for what is not done: for a stream (null: for all). Ends the capture.
std::optional<Status> refuse_to_wait(const cudaStream_t*);
/// For functions that allocate and free memory, which CUDA calls unsafe: they may wait for streams.
/// Ends captures that are not relaxed, of this thread or all.
std::optional<Status> refuse_unsafe();
bool is_capturing(cudaStream_t);
/// cudaMallocAsync and cudaFreeAsync in a stream that is being captured.
Status capture_allocation(Runtime&, cudaStream_t, void** pointer, std::size_t bytes);
Status capture_release(cudaStream_t, void* pointer);
/// The event is recorded for real, or is gone.
void forget_captured(cudaEvent_t);

}  // namespace vgpu::client
