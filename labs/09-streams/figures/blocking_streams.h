// The jobs of lab 09 in streams that wait for the default stream, for measure.cu and timeline.cu.
// This version loses points: the default stream's log entries keep the jobs apart.
#pragma once

#include <vector>

#include "streams.h"

namespace blocking {

inline void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    std::vector<cudaStream_t> streams(jobs);
    for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, 256, 0, streams[k]>>>(in + k * n, out + k * n, n, rounds);
        log_start(started);
    }
    for (cudaStream_t stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
}

}  // namespace blocking
