// Wrong: the wrong way round. __shfl_up_sync brings values from lower lanes, and lane 0 has no
// lower one.
//
// expect vgpu: "sum_warps: every warp has its sum": "__shfl_up_sync brings values from lower lanes"
// expect gpu: "sum_warps: every warp has its sum": "__shfl_up_sync brings values from lower lanes"

#include "reduction_hybrid.h"

#include <algorithm>

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_up_sync(0xffffffff, value, offset);
    }
    return value;
}

__global__ void sum_hybrid_kernel(const float* a, float* sum, int n) {
    __shared__ float partial[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? a[i] : 0.0F;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

void sum_hybrid(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    sum_hybrid_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sum, n);
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float total = warp_sum(i < n ? a[i] : 0.0F);
    if (i % 32 == 0 && i < n) sums[i / 32] = total;
}

void sum_warps(const float* a, float* sums, int n) {
    if (n == 0) return;
    sum_warps_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sums, n);
}

__global__ void sum_fast_kernel(const float* a, float* sum, int n) {
    __shared__ float warp_sums[32];
    float value = 0.0F;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        value += a[i];
    }
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    value = warp_sum(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0.0F);
    if (threadIdx.x == 0) atomicAdd(sum, value);
}

void sum_fast(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int blocks = std::min((n - 1) / 256 + 1, multiprocessors * 8);
    sum_fast_kernel<<<blocks, 256>>>(a, sum, n);
}
