// Lab 08, expert: as fast as the memory delivers, in one launch.
//
//   loads    float4, four of them before the first addition: 64 bytes of every thread are on their
//            way at once, and 2048 threads of each multiprocessor ask for 128 KiB
//   grid     for few elements one block a multiprocessor at most, as each costs an arrival; for
//   many
//            several times what the GPU holds, so that faster multiprocessors do more
//   result   Each block leaves its sum, and the number of the call with it, in one store of 8 bytes
//            to memory that was allocated with the module. The last block waits until it has seen
//            all, and adds them up. So nothing has to be set to 0 by a launch of its own, there is
//            no atomic operation, no fence between a sum and the news of it, and the result is the
//            same in every run, as the order of adding is fixed.
//
// A block that waits for others inside a kernel is dangerous: those might wait for its place. Here
// one block waits, and no other does, so all others get done in the places that are left. The
// module's memory belongs to one call at a time: calls on different streams would need their own.

#include "reduction_hybrid.h"

#include <algorithm>

constexpr int kThreads = 512;
constexpr int kWarp = 32;
constexpr int kMostBlocks = 1024;
constexpr int kLoads = 4;
constexpr int kStreamingBelow = 1 << 26;  // elements; from there on it costs time

/// A block's sum in the lower half, the call that it belongs to in the upper half.
__device__ unsigned long long block_sums[kMostBlocks];
__device__ unsigned calls_done;

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

/// Loads of a vector that L2 has no room for, or one that would push out all else that is there.
template <bool kStreaming>
__device__ float4 load(const float4* x) {
    return kStreaming ? __ldcs(x) : __ldg(x);
}

/// This thread's share of the vector.
template <bool kStreaming>
__device__ float thread_sum(const float* __restrict__ a, int n) {
    const auto* fours = reinterpret_cast<const float4*>(a);
    const int count = n / 4, stride = gridDim.x * kThreads;
    const int first = blockIdx.x * kThreads + threadIdx.x;
    float sums[kLoads] = {};
    int i = first;
    for (; i < count - (kLoads - 1) * stride; i += kLoads * stride) {
        float4 v[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) v[k] = load<kStreaming>(&fours[i + k * stride]);
#pragma unroll
        for (int k = 0; k < kLoads; ++k) sums[k] += sum_of(v[k]);
    }
#pragma unroll
    for (int k = 0; k < kLoads - 1; ++k) {
        if (i + k * stride < count) sums[k] += sum_of(load<kStreaming>(&fours[i + k * stride]));
    }
    if (first < n % 4) sums[0] += a[n - 1 - first];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <bool kStreaming>
__global__ void __launch_bounds__(kThreads) sum_fast_kernel(const float* a, float* sum, int n) {
    const unsigned call = *const_cast<volatile unsigned*>(&calls_done) + 1;
    volatile unsigned long long* const all = block_sums;
    float value = block_sum(thread_sum<kStreaming>(a, n));
    if (blockIdx.x < gridDim.x - 1) {
        if (threadIdx.x == 0) {
            all[blockIdx.x] = static_cast<unsigned long long>(call) << 32 | __float_as_uint(value);
        }
        return;
    }
    if (threadIdx.x > 0) value = 0;
    for (int b = threadIdx.x; b < gridDim.x - 1; b += kThreads) {
        unsigned long long found = all[b];
        while (found >> 32 != call) found = all[b];
        value += __uint_as_float(static_cast<unsigned>(found));
    }
    value = block_sum(value);
    if (threadIdx.x > 0) return;
    *sum = value;
    *const_cast<volatile unsigned*>(&calls_done) = call;
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const float total = warp_sum(i < n ? a[i] : 0.0F);
    if (i % kWarp == 0 && i < n) sums[i / kWarp] = total;
}

template <bool kStreaming>
void launch_sum(const float* a, float* sum, int n) {
    static const int multiprocessors = [] {
        int count = 0;
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
        return count;
    }();
    const int fitting_blocks = std::min(multiprocessors * (2048 / kThreads), kMostBlocks);
    // One for n = 0, too: it stores the 0.
    const int wanted_blocks = n / (kLoads * 4 * kThreads) + 1;
    sum_fast_kernel<kStreaming><<<std::min(wanted_blocks, fitting_blocks), kThreads>>>(a, sum, n);
}

void sum_fast(const float* a, float* sum, int n) {
    if (n < kStreamingBelow) {
        launch_sum<true>(a, sum, n);
    } else {
        launch_sum<false>(a, sum, n);
    }
}

void sum_hybrid(const float* a, float* sum, int n) {
    sum_fast(a, sum, n);
}

void sum_warps(const float* a, float* sums, int n) {
    if (n > 0) sum_warps_kernel<<<(n - 1) / kThreads + 1, kThreads>>>(a, sums, n);
}
