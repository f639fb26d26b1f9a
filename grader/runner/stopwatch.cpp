// Device time, by events on either device: a GPU measures it, the virtual GPU models it.
#include "runner/device.h"

namespace lab::runner {
namespace {

cudaEvent_t begin_event = nullptr, end_event = nullptr;

}  // namespace

cudaError_t Stopwatch::create() {
    const cudaError_t error = cudaEventCreate(&begin_event);
    return error == cudaSuccess ? cudaEventCreate(&end_event) : error;
}

void Stopwatch::start() {
    cudaEventRecord(begin_event, cudaStreamLegacy);
}

void Stopwatch::stop() {
    cudaEventRecord(end_event, cudaStreamLegacy);
}

std::optional<double> Stopwatch::elapsed_ms() {
    float elapsed_ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&elapsed_ms, begin_event, end_event);
    return error == cudaSuccess ? std::optional<double>(elapsed_ms) : std::nullopt;
}

bool Stopwatch::is_gone() {
    // An H200 with CUDA 13 says that the device is not initialised, the virtual GPU that this is no
    // event.
    const cudaError_t error = cudaEventQuery(begin_event);
    return error == cudaErrorDeviceUninitialized || error == cudaErrorInvalidResourceHandle;
}

}  // namespace lab::runner
