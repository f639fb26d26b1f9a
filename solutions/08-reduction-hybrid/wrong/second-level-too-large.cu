// Wrong: a launch error for long vectors. The blocks' sums are added by one block with a thread
// for each, and a block has at most 1024 threads.
//
// expect vgpu: "sum_fast: any number of elements": "at most 1024 threads"
// expect gpu: "sum_fast: any number of elements": "left a CUDA error behind"

#include "reduction_hybrid.h"

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

__device__ float block_sums[1 << 20];

__global__ void block_sums_kernel(const float* a, int n) {
    __shared__ float warp_sums[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = warp_sum(i < n ? a[i] : 0.0F);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    value = warp_sum(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0.0F);
    if (threadIdx.x == 0) block_sums[blockIdx.x] = value;
}

__global__ void total_kernel(float* sum) {
    atomicAdd(sum, block_sums[threadIdx.x]);
}

void sum_fast(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    const int blocks = (n - 1) / 256 + 1;
    block_sums_kernel<<<blocks, 256>>>(a, n);
    total_kernel<<<1, blocks>>>(sum);
}
