// Wrong: correct, but serial. Streams from cudaStreamCreate wait for the legacy default stream,
// and it for them, so each call of log_start stands between two jobs.
//
// expect vgpu: "run_jobs: at least 0.32x the reference": "Which streams do not take part in that"
// expect gpu: "run_jobs: at least 0.32x the reference": "too slow"

#include "streams.h"

#include <algorithm>
#include <vector>

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    late_double_kernel<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n, delay_us);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    float time_ms = 0.0F;
    cudaEventElapsedTime(&time_ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return time_ms;
}

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
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

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n == 0) return;
    float* d_data = nullptr;
    cudaMalloc(&d_data, n * sizeof(float));
    std::vector<cudaStream_t> all(streams);
    for (cudaStream_t& stream : all) cudaStreamCreate(&stream);
    const int share = (n - 1) / chunks + 1;
    for (int k = 0, begin = 0; begin < n; ++k, begin += share) {
        const int count = std::min(share, n - begin);
        const cudaStream_t stream = all[k % streams];
        float* const piece = d_data + begin;
        cudaMemcpyAsync(piece, in + begin, count * sizeof(float), cudaMemcpyHostToDevice, stream);
        work_kernel<<<kWorkBlocks, 256, 0, stream>>>(piece, piece, count, rounds);
        cudaMemcpyAsync(out + begin, piece, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
    }
    for (cudaStream_t stream : all) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    cudaFree(d_data);
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    const int blocks = (n + 255) / 256;
    late_double_kernel<<<blocks, 256, 0, first>>>(a, b, n, delay_us);
    cudaEventRecord(doubled, first);
    late_square_kernel<<<blocks, 256, 0, second>>>(a, c, n, delay_us);
    cudaStreamWaitEvent(second, doubled);
    add_kernel<<<blocks, 256, 0, second>>>(b, c, n);
}
