// Wrong: correct, but every element has its own thread. The tree and the atomic are paid for each
// 256 elements, where few blocks that stay would pay once.
//
// expect vgpu: "sum_fast: at least 0.45x the reference": "too slow"
// expect gpu: "sum_fast: at least 0.45x the reference": "too slow"

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

void sum_fast(const float* a, float* sum, int n) {
    sum_hybrid(a, sum, n);
}
