// Right: CUB adds up warps and blocks: cub::WarpReduce and cub::BlockReduce.

#include "reduction_hybrid.h"

#include <algorithm>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

using BlockReduce = cub::BlockReduce<float, 256>;
using WarpReduce = cub::WarpReduce<float>;

__global__ void sum_hybrid_kernel(const float* a, float* sum, int n) {
    __shared__ BlockReduce::TempStorage scratch;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float total = BlockReduce(scratch).Sum(i < n ? a[i] : 0.0F);
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

void sum_hybrid(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    sum_hybrid_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sum, n);
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    __shared__ WarpReduce::TempStorage scratch[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float total = WarpReduce(scratch[threadIdx.x / 32]).Sum(i < n ? a[i] : 0.0F);
    if (i % 32 == 0 && i < n) sums[i / 32] = total;
}

void sum_warps(const float* a, float* sums, int n) {
    if (n == 0) return;
    sum_warps_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sums, n);
}

__global__ void sum_fast_kernel(const float* a, float* sum, int n) {
    __shared__ BlockReduce::TempStorage scratch;
    float value = 0.0F;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        value += a[i];
    }
    const float total = BlockReduce(scratch).Sum(value);
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

void sum_fast(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int blocks = std::min((n - 1) / 256 + 1, multiprocessors * 8);
    sum_fast_kernel<<<blocks, 256>>>(a, sum, n);
}
