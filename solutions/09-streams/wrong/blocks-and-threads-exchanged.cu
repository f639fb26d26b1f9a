// Wrong: the arguments of a launch are exchanged: 256 blocks, and few threads in each.
//
// expect vgpu: "time_kernel: what a stopwatch in the stream shows": "swapped"
// expect gpu: nothing

#include "streams.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

using Streams = std::vector<cudaStream_t>;
inline int blocks_for(int n) {
    return (n - 1) / kThreads + 1;
}

float time_kernel(const float* a, float* b, int n, int delay_us, cudaStream_t stream) {
    float time_ms = 0.0F;
    cudaEvent_t begin, end;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    CUDA_CHECK(cudaEventRecord(begin, stream));
    late_double_kernel<<<kThreads, blocks_for(n), 0, stream>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(end, stream));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    return time_ms;
}

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    Streams streams(jobs);
    for (cudaStream_t& stream : streams)
        CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, kThreads, 0, streams[k]>>>(in + k * n, out + k * n, n, rounds);
        CUDA_CHECK(cudaGetLastError());
        log_start(started);
    }
    for (cudaStream_t stream : streams) {
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n == 0) return;
    float* d_data;
    CUDA_CHECK(cudaMalloc(&d_data, n * sizeof(float)));
    Streams all(streams);
    for (cudaStream_t& stream : all) CUDA_CHECK(cudaStreamCreate(&stream));
    const int share = (n - 1) / chunks + 1;
    for (int k = 0, begin = 0; begin < n; ++k, begin += share) {
        const int count = std::min(share, n - begin);
        const cudaStream_t stream = all[k % streams];
        float* const piece = d_data + begin;
        CUDA_CHECK(cudaMemcpyAsync(piece, in + begin, count * sizeof(float), cudaMemcpyHostToDevice,
                                   stream));
        work_kernel<<<kWorkBlocks, kThreads, 0, stream>>>(piece, piece, count, rounds);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyAsync(out + begin, piece, count * sizeof(float),
                                   cudaMemcpyDeviceToHost, stream));
    }
    for (cudaStream_t stream : all) {
        CUDA_CHECK(cudaStreamSynchronize(stream));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }
    CUDA_CHECK(cudaFree(d_data));
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    const int blocks = blocks_for(n);
    late_double_kernel<<<blocks, kThreads, 0, first>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaEventRecord(doubled, first));
    late_square_kernel<<<blocks, kThreads, 0, second>>>(a, c, n, delay_us);
    CUDA_CHECK(cudaStreamWaitEvent(second, doubled));
    add_kernel<<<blocks, kThreads, 0, second>>>(b, c, n);
    CUDA_CHECK(cudaGetLastError());
}
