// Wrong: type. The time loses what is behind the decimal point.
//
// expect vgpu: "time_kernel: what a stopwatch in the stream shows": "0 is not a time that was measured"
// expect gpu: "time_kernel: what a stopwatch in the stream shows": "Between the two events"

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
    late_double_kernel<<<blocks_for(n), kThreads, 0, stream>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(end, stream));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    return (int)time_ms;
}

void run_jobs(const float* in, float* out, int* started, int jobs, int n, int rounds) {
    Streams streams(jobs);
    for (auto& s : streams) CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int k = 0; k < jobs; ++k) {
        work_kernel<<<1, kThreads, 0, streams[k]>>>(in + k * n, out + k * n, n, rounds);
        CUDA_CHECK(cudaGetLastError());
        log_start(started);
    }
    for (auto& s : streams) {
        CUDA_CHECK(cudaStreamSynchronize(s));
        CUDA_CHECK(cudaStreamDestroy(s));
    }
}

void pipeline(const float* in, float* out, int n, int chunks, int streams, int rounds) {
    if (n <= 0) return;
    float* data = nullptr;
    CUDA_CHECK(cudaMalloc(&data, n * sizeof(float)));
    Streams s(streams);
    for (auto& x : s) CUDA_CHECK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    const int share = (n - 1) / chunks + 1;
    for (int k = 0; k < chunks; ++k) {
        const int begin = std::min((long long)k * share, (long long)n);
        const int count = std::min(share, n - begin);
        if (count <= 0) break;
        cudaStream_t stream = s[k % streams];
        CUDA_CHECK(cudaMemcpyAsync(data + begin, in + begin, count * sizeof(float),
                                   cudaMemcpyHostToDevice, stream));
        work_kernel<<<kWorkBlocks, kThreads, 0, stream>>>(data + begin, data + begin, count,
                                                          rounds);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpyAsync(out + begin, data + begin, count * sizeof(float),
                                   cudaMemcpyDeviceToHost, stream));
    }
    for (auto& x : s) {
        CUDA_CHECK(cudaStreamSynchronize(x));
        CUDA_CHECK(cudaStreamDestroy(x));
    }
    CUDA_CHECK(cudaFree(data));
}

void join_streams(const float* a, float* b, float* c, int n, int delay_us, cudaStream_t first,
                  cudaStream_t second, cudaEvent_t doubled) {
    late_double_kernel<<<blocks_for(n), kThreads, 0, first>>>(a, b, n, delay_us);
    CUDA_CHECK(cudaEventRecord(doubled, first));
    late_square_kernel<<<blocks_for(n), kThreads, 0, second>>>(a, c, n, delay_us);
    CUDA_CHECK(cudaStreamWaitEvent(second, doubled, 0));
    add_kernel<<<blocks_for(n), kThreads, 0, second>>>(b, c, n);
    CUDA_CHECK(cudaGetLastError());
}
