// Lab 08, expert: as fast as the memory delivers, in one launch.
//
//   loads    float4, four of them before the first addition: 64 bytes of every thread are on their
//   way
//            at once, and 2048 threads of each multiprocessor ask for 128 KiB
//   grid     what fits the GPU once; each block strides through the vector
//   result   each block leaves its sum in scratch memory that was allocated with the module; the
//   block
//            that is the last to arrive adds them up. So nothing has to be set to 0 by a launch of
//            its own, and, as the order of adding is fixed, the result is the same in every run.
//
// The scratch memory belongs to one call at a time: calls on different streams would need their
// own.

#include "reduction_hybrid.h"

#include <algorithm>

constexpr int kThreads = 512;
constexpr int kWarp = 32;
constexpr int kMostBlocks = 1024;
constexpr int kLoads = 4;

__device__ float block_sums[kMostBlocks];
__device__ unsigned arrived;  // 0 before and after each call

__device__ float warp_sum(float value) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

/// The sum over the block, for thread 0. All threads of the block must come.
__device__ float block_sum(float value) {
    __shared__ float warp_sums[kThreads / kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    value = warp_sum(value);
    __syncthreads();  // of an earlier call, all sums have been read
    if (lane == 0) warp_sums[warp] = value;
    __syncthreads();
    if (warp == 0) value = warp_sum(lane < kThreads / kWarp ? warp_sums[lane] : 0.0F);
    return value;
}

__device__ float sum_of(float4 v) {
    return (v.x + v.y) + (v.z + v.w);
}

/// This thread's share of the vector.
__device__ float thread_sum(const float* __restrict__ a, int n) {
    const auto* fours = reinterpret_cast<const float4*>(a);
    const int count = n / 4, stride = gridDim.x * kThreads;
    const int first = blockIdx.x * kThreads + threadIdx.x;
    float sums[kLoads] = {};
    int i = first;
    for (; i < count - (kLoads - 1) * stride; i += kLoads * stride) {
        float4 v[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) v[k] = __ldcs(&fours[i + k * stride]);
#pragma unroll
        for (int k = 0; k < kLoads; ++k) sums[k] += sum_of(v[k]);
    }
    for (; i < count; i += stride) sums[0] += sum_of(fours[i]);
    if (first < n % 4) sums[0] += a[n - 1 - first];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

__global__ void __launch_bounds__(kThreads) sum_fast_kernel(const float* a, float* sum, int n) {
    __shared__ bool is_last;
    const float mine = block_sum(thread_sum(a, n));
    if (threadIdx.x == 0) {
        block_sums[blockIdx.x] = mine;
        __threadfence();  // the sum is visible before the arrival is
        // Counts from 0 to gridDim.x - 1, and then starts again at 0.
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    float value = 0.0F;
    for (int b = threadIdx.x; b < gridDim.x; b += kThreads) value += __ldcg(&block_sums[b]);
    const float total = block_sum(value);
    if (threadIdx.x == 0) *sum = total;
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const float total = warp_sum(i < n ? a[i] : 0.0F);
    if (i % kWarp == 0 && i < n) sums[i / kWarp] = total;
}

void sum_fast(const float* a, float* sum, int n) {
    static const int fitting_blocks = [] {
        int multiprocessors = 0, blocks = 0;
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_fast_kernel, kThreads, 0);
        return std::min(multiprocessors * blocks, kMostBlocks);
    }();
    const int wanted_blocks = n / (4 * kThreads) + 1;  // one for n = 0, too: it stores the 0
    sum_fast_kernel<<<std::min(wanted_blocks, fitting_blocks), kThreads>>>(a, sum, n);
}

void sum_hybrid(const float* a, float* sum, int n) {
    sum_fast(a, sum, n);
}

void sum_warps(const float* a, float* sums, int n) {
    if (n > 0) sum_warps_kernel<<<(n - 1) / kThreads + 1, kThreads>>>(a, sums, n);
}
