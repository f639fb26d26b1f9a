// Lab 06, expert: one launch that reads at the speed of the memory, for one result or three.
//
//   loads    float4, four of them on their way at once
//   grid     what fits the GPU once; each block strides through the vector
//   trees    over the lanes of a warp by shuffles, then over the block's warps: two barriers in all
//   result   blocks leave their results in `scratch`; the block that is the last to arrive combines
//            them. The order of adding is fixed: the same result in every run.
//
// The counter of arrivals belongs to one call at a time: calls on different streams would need
// their own.

#include "reduction_binary.h"

#include <algorithm>
#include <cstdint>

namespace {

constexpr int kThreads = 512;
constexpr int kWarp = 32, kMostWarps = 32;
constexpr int kLoads = 4;

__device__ unsigned arrived;  // 0 before and after each call

// ---------------------------------------------------------------------------
// What there is to know of a result: of nothing, of one number, of two results together, and of
// another lane.

template <class Result>
__device__ Result of_nothing();
template <>
__device__ float of_nothing<float>() {
    return 0;
}
template <>
__device__ MinMaxSum of_nothing<MinMaxSum>() {
    return {INFINITY, -INFINITY, 0};
}

template <class Result>
__device__ Result of_number(float x);
template <>
__device__ float of_number<float>(float x) {
    return x;
}
template <>
__device__ MinMaxSum of_number<MinMaxSum>(float x) {
    return {x, x, x};
}

__device__ float together(float a, float b) {
    return a + b;
}
__device__ MinMaxSum together(MinMaxSum a, MinMaxSum b) {
    return {fminf(a.min, b.min), fmaxf(a.max, b.max), a.sum + b.sum};
}

__device__ float from_lane_above(float mine, int offset) {
    return __shfl_down_sync(0xffffffff, mine, offset);
}
__device__ MinMaxSum from_lane_above(MinMaxSum mine, int offset) {
    return {from_lane_above(mine.min, offset), from_lane_above(mine.max, offset),
            from_lane_above(mine.sum, offset)};
}

/// Past the cache of the multiprocessor, where an old value may be.
__device__ float load_from_l2(const float* x) {
    return __ldcg(x);
}
__device__ MinMaxSum load_from_l2(const MinMaxSum* x) {
    return {__ldcg(&x->min), __ldcg(&x->max), __ldcg(&x->sum)};
}

// ---------------------------------------------------------------------------
// Trees. A block is whole warps; all its threads must come.

/// For lane 0.
template <class Result>
__device__ Result of_warp(Result mine) {
#pragma unroll
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        mine = together(mine, from_lane_above(mine, offset));
    }
    return mine;
}

/// For thread 0.
template <class Result>
__device__ Result of_block(Result mine) {
    __shared__ Result results[kMostWarps];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    mine = of_warp(mine);
    __syncthreads();  // what an earlier call left has been read
    if (lane == 0) results[warp] = mine;
    __syncthreads();
    if (warp > 0) return mine;
    const int warps = blockDim.x / kWarp;
    return of_warp(lane < warps ? results[lane] : of_nothing<Result>());
}

/// Of the elements number `first`, first + stride, first + 2 * stride, ... as far as there are any.
template <class Result>
__device__ Result of_share(const float* __restrict__ a, int n, int first, int stride) {
    // Up to three elements before the first whole float4, and up to three behind the last.
    const auto address = reinterpret_cast<std::uintptr_t>(a) / sizeof(float);
    const int before = min(n, static_cast<int>((4 - address % 4) % 4));
    const auto* const fours = reinterpret_cast<const float4*>(a + before);
    const int count = (n - before) / 4, behind = before + 4 * count;

    Result results[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) results[k] = of_nothing<Result>();
    const auto take = [](Result& mine, float4 v) {
        mine = together(mine, together(together(of_number<Result>(v.x), of_number<Result>(v.y)),
                                       together(of_number<Result>(v.z), of_number<Result>(v.w))));
    };
    int i = first;
    for (; i < count - (kLoads - 1) * stride; i += kLoads * stride) {
        float4 v[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) v[k] = fours[i + k * stride];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) take(results[k], v[k]);
    }
#pragma unroll
    for (int k = 0; k < kLoads - 1; ++k) {
        if (i + k * stride < count) take(results[k], fours[i + k * stride]);
    }
    for (int k = first; k < before; k += stride) {
        results[1] = together(results[1], of_number<Result>(a[k]));
    }
    for (int k = behind + first; k < n; k += stride) {
        results[2] = together(results[2], of_number<Result>(a[k]));
    }
    return together(together(results[0], results[1]), together(results[2], results[3]));
}

// ---------------------------------------------------------------------------

template <class Result>
__global__ void __launch_bounds__(kThreads)
    reduce_kernel(const float* a, Result* scratch, Result* result, int n) {
    __shared__ bool is_last;
    const int first = blockIdx.x * kThreads + threadIdx.x, stride = gridDim.x * kThreads;
    const Result mine = of_block(of_share<Result>(a, n, first, stride));
    if (gridDim.x == 1) {  // there may be no scratch memory
        if (threadIdx.x == 0) *result = mine;
        return;
    }
    if (threadIdx.x == 0) {
        scratch[blockIdx.x] = mine;
        __threadfence();  // the result is visible before the arrival is
        // Counts from 0 to gridDim.x - 1, and then starts again at 0.
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    Result all = of_nothing<Result>();
    for (int b = threadIdx.x; b < gridDim.x; b += kThreads) {
        all = together(all, load_from_l2(&scratch[b]));
    }
    all = of_block(all);
    if (threadIdx.x == 0) *result = all;
}

template <class Result>
void reduce(const float* a, Result* scratch, Result* result, int n) {
    static const int fitting_blocks = [] {
        int multiprocessors = 0, blocks = 0;
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reduce_kernel<Result>, kThreads, 0);
        return multiprocessors * blocks;
    }();
    // One for n = 0, too: it stores the result of nothing.
    const int wanted_blocks = n / (4 * kThreads) + 1;
    reduce_kernel<<<std::min(wanted_blocks, fitting_blocks), kThreads>>>(a, scratch, result, n);
}

/// A warp for each sum, whatever the length: no barrier, and no thread waits for another warp.
__global__ void __launch_bounds__(kThreads)
    warp_sums_kernel(const float* a, float* sums, int n, int length) {
    const int number = (blockIdx.x * kThreads + threadIdx.x) / kWarp;
    const int lane = threadIdx.x % kWarp;
    const long long begin = static_cast<long long>(number) * length;
    if (begin >= n) return;
    const int count = min(length, n - static_cast<int>(begin));
    float mine = 0;
    for (int i = lane; i < count; i += kWarp) mine += a[begin + i];
    mine = of_warp(mine);
    if (lane == 0) sums[number] = mine;
}

/// One block of any number of threads: its first warp adds up what the threads found.
__global__ void one_block_kernel(const float* a, float* total, int n) {
    __shared__ float values[kWarp * kMostWarps];
    const int thread = threadIdx.x, threads = blockDim.x;
    values[thread] = of_share<float>(a, n, thread, threads);
    __syncthreads();
    float mine = 0;
    if (threads < kWarp) {  // no whole warp, no shuffles
        if (thread > 0) return;
        for (int i = 0; i < threads; ++i) mine += values[i];
    } else {
        if (thread >= kWarp) return;
        for (int i = thread; i < threads; i += kWarp) mine += values[i];
        mine = of_warp(mine);
    }
    if (thread == 0) *total = mine;
}

}  // namespace

void block_sums(const float* a, float* sums, int n, int threads_per_block) {
    if (n == 0) return;
    const int count = (n - 1) / threads_per_block + 1, per_block = kThreads / kWarp;
    warp_sums_kernel<<<(count - 1) / per_block + 1, kThreads>>>(a, sums, n, threads_per_block);
}

void one_block_sum(const float* a, float* total, int n, int threads_per_block) {
    one_block_kernel<<<1, threads_per_block>>>(a, total, n);
}

void sum(const float* a, float* scratch, float* total, int n) {
    reduce(a, scratch, total, n);
}

void min_max_sum(const float* a, MinMaxSum* scratch, MinMaxSum* result, int n) {
    reduce(a, scratch, result, n);
}
