// Right: no streams for the jobs: one kernel of ours, in which block k does job k. Eight blocks
// of one kernel run at the same time, as eight kernels do.

#include "streams.h"

#include <algorithm>
#include <vector>

__global__ void all_jobs_kernel(const float* in, float* out, int n, int rounds) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const float x = in[blockIdx.x * n + i];
        unsigned digits = __float_as_uint(x);
#pragma unroll 1
        for (int round = 0; round < rounds; ++round) digits = digits * 1664525u + 1013904223u;
        out[blockIdx.x * n + i] =
            __uint_as_float((__float_as_uint(x) & 0xff800000u) | (digits & 0x007fffffu));
    }
}

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
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (jobs > 0) all_jobs_kernel<<<jobs, 256, 0, stream>>>(in, out, n, rounds);
    for (int k = 0; k < jobs; ++k) log_start(started);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
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
