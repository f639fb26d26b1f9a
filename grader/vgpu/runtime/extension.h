// What our runtime library has beyond NVIDIA's, for the grader's runner. Only programs linked with
// the virtual GPU's runtime have these.
//
// Interface: vgpu_forget.
#pragma once

#include <driver_types.h>

#include <cstddef>

/// Marks device memory as never written, whatever it holds: a kernel that reads it is then told so.
extern "C" cudaError_t vgpu_forget(void* device_pointer, std::size_t bytes);
