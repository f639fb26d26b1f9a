// Streams, as the other files see them.
#pragma once

#include "runtime/client/runtime.h"

namespace vgpu::client {

/// The default streams, or one that was created and not destroyed. Needs the runtime's lock.
bool is_stream(cudaStream_t);

/// The default stream that other streams wait for, as this thread sees it.
bool is_legacy(cudaStream_t);
/// A created stream that waits for the legacy default stream, and it for this.
bool is_blocking(cudaStream_t);

/// How requests name a stream, which must be one. The first use of a thread's own stream creates
/// it.
std::uint32_t stream_number(Runtime&, cudaStream_t);

/// A stream for a branch of a graph that is launched in stream `of`.
cudaError_t create_branch(cudaStream_t* branch, cudaStream_t of);

/// While one lives, this thread's null stream is the thread's own one, not the legacy one.
class DefaultStreamPerThread {
public:
    DefaultStreamPerThread();
    ~DefaultStreamPerThread();
    DefaultStreamPerThread(const DefaultStreamPerThread&) = delete;
    DefaultStreamPerThread& operator=(const DefaultStreamPerThread&) = delete;

private:
    const bool before_;
};

/// cudaDeviceReset: all handles are invalid from now on.
void forget_streams();

}  // namespace vgpu::client
