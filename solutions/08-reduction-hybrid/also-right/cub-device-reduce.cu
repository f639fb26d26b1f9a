// Right: the library does it: cub::DeviceReduce, with the scratch memory it asks for allocated at
// the first call and kept.

#include "reduction_hybrid.h"

#include <cub/device/device_reduce.cuh>

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
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

void sum_fast(const float* a, float* sum, int n) {
    static void* scratch = nullptr;
    static std::size_t capacity_bytes = 0;
    std::size_t needed_bytes = 0;
    cub::DeviceReduce::Sum(nullptr, needed_bytes, a, sum, n);
    if (needed_bytes > capacity_bytes) {
        cudaFree(scratch);
        cudaMalloc(&scratch, needed_bytes);
        capacity_bytes = needed_bytes;
    }
    cub::DeviceReduce::Sum(scratch, needed_bytes, a, sum, n);
}
