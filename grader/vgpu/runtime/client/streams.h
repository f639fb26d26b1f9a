// Streams as the other files see them: all work is done at once, so a stream is only a handle that
// must be a real one.
//
// Interface: is_stream.
#pragma once

#include <driver_types.h>

namespace vgpu::client {

/// The default streams, or one that was created and not destroyed. Needs the runtime's lock.
bool is_stream(cudaStream_t);

}  // namespace vgpu::client
