// What our runtime library has beyond NVIDIA's, for the grader's runner. Only programs linked with
// the virtual GPU's runtime have these.
#pragma once

#include <driver_types.h>

#include <cstddef>

/// Marks device memory as never written, whatever it holds: a kernel that reads it is then told so.
extern "C" cudaError_t vgpu_forget(void* device_pointer, std::size_t bytes);

/// A function of NVIDIA's that a stand-in has for the linker's sake only was called. `library`:
/// "cuBLAS". Both live for ever.
extern "C" void vgpu_report_absent(const char* function, const char* library);

/// Pinned host memory that was allocated and not freed.
extern "C" std::size_t vgpu_pinned_bytes();

/// Streams and events that were created and not destroyed.
extern "C" std::size_t vgpu_live_handles();
/// Whether this is one of them.
extern "C" bool vgpu_is_live(const void* handle);

/// As a kernel that takes so long in the stream, without one.
extern "C" cudaError_t vgpu_occupy(cudaStream_t, unsigned microseconds);

/// What is allocated and freed from now on is what the device process tells the checker of. The
/// pool of cudaMallocAsync is as large as after many such calls, and keeps what is freed.
extern "C" cudaError_t vgpu_begin_call();
