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

double Stopwatch::elapsed_ms() {
    float elapsed_ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&elapsed_ms, begin_event, end_event);
    return error == cudaSuccess ? static_cast<double>(elapsed_ms) : 0.0;
}

}  // namespace lab::runner
