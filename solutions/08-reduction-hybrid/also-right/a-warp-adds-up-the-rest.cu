// Right: no atomics. Each warp leaves its sum in memory that is kept, and a second kernel of one
// warp adds these up, however many elements there were.

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

constexpr int kThreads = 256;  // a block: a power of two, for the tree
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
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));  // atomicAdd adds to what is there
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    sum_hybrid_kernel<<<blocks, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
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

__global__ void first_pass(const float* a, float* partial, int n) {
    float value = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (size_t)n;
         i += (size_t)gridDim.x * blockDim.x)
        value += a[i];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) partial[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = value;
}
__global__ void second_pass(const float* partial, float* sum, int count) {
    double value = 0;
    for (int i = threadIdx.x; i < count; i += 32) value += partial[i];
    for (int d = 16; d; d >>= 1) value += __shfl_xor_sync(~0u, value, d);
    if (threadIdx.x == 0) *sum = value;
}
void sum_fast(const float* a, float* sum, int n) {
    static float* partial = nullptr;
    const int blocks = 132 * 4, threads = 512, count = blocks * threads / 32;
    if (!partial) CUDA_CHECK(cudaMalloc(&partial, count * sizeof(float)));
    first_pass<<<blocks, threads>>>(a, partial, n);
    second_pass<<<1, 32>>>(partial, sum, count);
    CUDA_CHECK(cudaGetLastError());
}
