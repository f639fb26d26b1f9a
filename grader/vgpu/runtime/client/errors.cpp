// Errors: the last one of each thread, and what they are called. No device is needed for these.
#include "vgpu/runtime/client/runtime.h"
#include "vgpu/runtime/error_names.h"

#include <utility>

using namespace vgpu::client;

extern "C" {

cudaError_t cudaGetLastError() {
    return std::exchange(last_error(), cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
    return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
    return vgpu::error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
    return vgpu::error_text(error);
}

}  // extern "C"
