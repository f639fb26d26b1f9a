// Errors: the last one of each thread, and what they are called. No device is needed for these.
#include "runtime/client/runtime.h"
#include "runtime/error_names.h"

#include <utility>

using namespace vgpu::client;

namespace {

/// The program has asked: a launch that failed did not go unnoticed.
void note_question() {
    if (!std::exchange(has_unseen_error(), false)) return;
    Call running("cudaGetLastError");
    if (!running.may_not_connect()) {
        running.runtime().exchange(running.runtime().request(vgpu::wire::Op::error_seen));
    }
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
    note_question();
    return std::exchange(last_error(), cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
    note_question();
    return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
    return vgpu::error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
    return vgpu::error_text(error);
}

}  // extern "C"
