// Wrong: hard-coded. Four warps' sums are collected, and a block has eight.
//
// expect vgpu: "sum_fast: any number of elements": "half of the warps' sums were not collected"
// expect gpu: "sum_fast: any number of elements": "sum_fast(n = "

#include "reduction_hybrid.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;
constexpr int kWarp = 32;

__global__ void sum_hybrid_kernel(const float* a, float* sum, int n) {
    __shared__ float partial[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? a[i] : 0.0F;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

void sum_hybrid(const float* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    sum_hybrid_kernel<<<blocks, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

__device__ float warp_sum(float value) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float total = warp_sum(i < n ? a[i] : 0.0F);
    if (i % kWarp == 0 && i < n) sums[i / kWarp] = total;
}

void sum_warps(const float* a, float* sums, int n) {
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    sum_warps_kernel<<<blocks, kThreads>>>(a, sums, n);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void sum_fast_kernel(const float* a, float* sum, int n) {
    const int stride = gridDim.x * blockDim.x;
    float value = 0.0F;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) value += a[i];

    __shared__ float warp_sums[kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    value = warp_sum(value);
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        const int warps = 4;
        value = warp_sum(lane < warps ? warp_sums[lane] : 0.0F);
        if (lane == 0) atomicAdd(sum, value);
    }
}

void sum_fast(const float* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));
    if (n == 0) return;

    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int blocks_at_once = multiprocessors * (2048 / kThreads);
    const int blocks = std::min((n - 1) / kThreads + 1, blocks_at_once);

    sum_fast_kernel<<<blocks, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}
