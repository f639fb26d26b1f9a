// Lab 12, expert: as fast as the memory delivers, in one launch.
//
//   loads    float4, four of them on their way before the first comparison
//   order    A thread looks at its elements in the order of their indices. So a later one wins only
//            if it is larger, or the first NaN: one comparison and a flag, and no index compared.
//            Each of the four loads has a best of its own; they meet after the loop.
//   result   Each block leaves its best in `partial`, and adds itself to a counter. The block that
//            comes last finds the best of all. The counter belongs to the module, and goes back to
//            0 by itself: atomicInc wraps. Calls on different streams would need counters of their
//            own.

#include "argmax.h"

#include <algorithm>
#include <cmath>

constexpr int kThreads = 512;
constexpr int kWarp = 32;
constexpr int kLoads = 4;
constexpr int kStreamingBelow = 1 << 26;  // elements; see lab 08

__device__ unsigned blocks_done;

__device__ bool wins(Best x, Best y) {
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value || x.value < y.value) return x.value > y.value;
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
}

/// For a later element only: larger, or the first NaN.
__device__ void look_at(Best& mine, float value, int index) {
    const bool better = !(value <= mine.value) && mine.value == mine.value;
    // The first element may be -infinity, which is not larger than what a search begins with.
    if (better || mine.index < 0) mine = {value, index};
}

__device__ Best warp_best(Best mine) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        const Best other = {__shfl_down_sync(0xffffffff, mine.value, offset),
                            __shfl_down_sync(0xffffffff, mine.index, offset)};
        if (wins(other, mine)) mine = other;
    }
    return mine;
}

/// The best of the block, for thread 0. All threads of the block must come.
__device__ Best block_best(Best mine) {
    __shared__ Best warp_bests[kThreads / kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    mine = warp_best(mine);
    __syncthreads();  // of an earlier call, all bests have been read
    if (lane == 0) warp_bests[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = warp_best(lane < kThreads / kWarp ? warp_bests[lane] : Best{-INFINITY, -1});
    }
    return mine;
}

/// Loads of a vector that L2 has no room for, or one that would push out all else that is there.
template <bool kStreaming>
__device__ float4 load(const float4* x) {
    return kStreaming ? __ldcs(x) : __ldg(x);
}

/// The best of this thread's elements.
template <bool kStreaming>
__device__ Best thread_best(const float* __restrict__ a, int n) {
    const auto* fours = reinterpret_cast<const float4*>(a);
    const int count = n / 4, stride = gridDim.x * kThreads;
    const int first = blockIdx.x * kThreads + threadIdx.x;
    Best bests[kLoads];
#pragma unroll
    for (Best& best : bests) best = {-INFINITY, -1};
    const auto look_at_four = [](Best& mine, float4 v, int i) {
        look_at(mine, v.x, 4 * i);
        look_at(mine, v.y, 4 * i + 1);
        look_at(mine, v.z, 4 * i + 2);
        look_at(mine, v.w, 4 * i + 3);
    };
    int i = first;
    for (; i < count - (kLoads - 1) * stride; i += kLoads * stride) {
        float4 v[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) v[k] = load<kStreaming>(&fours[i + k * stride]);
#pragma unroll
        for (int k = 0; k < kLoads; ++k) look_at_four(bests[k], v[k], i + k * stride);
    }
#pragma unroll
    for (int k = 0; k < kLoads - 1; ++k) {
        const int j = i + k * stride;
        if (j < count) look_at_four(bests[k], load<kStreaming>(&fours[j]), j);
    }
    // At most 3 elements are left over, the last ones.
    if (first < n % 4) look_at(bests[0], a[n / 4 * 4 + first], n / 4 * 4 + first);
    Best mine = bests[0];
#pragma unroll
    for (int k = 1; k < kLoads; ++k) {
        if (wins(bests[k], mine)) mine = bests[k];
    }
    return mine;
}

template <bool kStreaming>
__global__ void __launch_bounds__(kThreads)
    argmax_kernel(const float* a, Best* partial, Best* best, int n) {
    __shared__ bool is_last;
    Best mine = block_best(thread_best<kStreaming>(a, n));
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            partial[blockIdx.x] = mine;
            __threadfence();  // the block's best is there before the news of it
            is_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
            __threadfence();
        }
        __syncthreads();
        if (!is_last) return;
        mine = {-INFINITY, -1};
        for (int b = threadIdx.x; b < gridDim.x; b += kThreads) {
            // Past L1, which might hold what was there before.
            const float2 bits = __ldcg(reinterpret_cast<const float2*>(&partial[b]));
            const Best other = {bits.x, __float_as_int(bits.y)};
            if (wins(other, mine)) mine = other;
        }
        mine = block_best(mine);
    }
    if (threadIdx.x == 0) *best = mine;
}

static void launch(const float* a, Best* partial, Best* best, int n, int most_blocks) {
    // One for n = 0, too: it stores the -1.
    const int blocks = std::min(n / (kLoads * 4 * kThreads) + 1, most_blocks);
    if (n < kStreamingBelow) {
        argmax_kernel<true><<<blocks, kThreads>>>(a, partial, best, n);
    } else {
        argmax_kernel<false><<<blocks, kThreads>>>(a, partial, best, n);
    }
}

void argmax_block(const float* a, Best* best, int n) {
    launch(a, nullptr, best, n, 1);
}

static void launch_on_all(const float* a, Best* partial, Best* best, int n) {
    static const int multiprocessors = [] {
        int count = 0;
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
        return count;
    }();
    launch(a, partial, best, n, std::min(multiprocessors * (2048 / kThreads), kMostBlocks));
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    launch_on_all(a, partial, best, n);
}

/// The best of each block, by the same kernel, in memory that belongs to the module: `key` has room
/// for one.
__device__ Best module_partial[kMostBlocks];

void argmax_packed(const float* a, unsigned long long*, Best* best, int n) {
    static Best* const partial = [] {
        void* address = nullptr;
        cudaGetSymbolAddress(&address, module_partial);
        return static_cast<Best*>(address);
    }();
    launch_on_all(a, partial, best, n);
}
