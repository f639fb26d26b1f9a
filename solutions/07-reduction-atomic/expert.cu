// Lab 07, expert: what atomic operations are good for once they are rare.
//
//   loads       16 bytes each, four of them on their way at once
//   results     Each thread combines its elements in registers, a warp by shuffles, a block through
//               shared memory. Blocks leave their results in memory that was allocated with the
//               module, and one atomic operation a block counts arrivals: the last block combines
//               them. Nothing has to be set beforehand, and float sums are the same in every run.
//   histogram   Two warps share a set of counters in shared memory, so that fewer meet; each thread
//               has 16 keys at hand.
//
// The memory of the module belongs to one call at a time: calls on different streams would need
// their own.

#include "reduction_atomic.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace {

constexpr int kThreads = 512;
constexpr int kWarp = 32;
constexpr int kLoads = 4;
constexpr int kMostBlocks = 2048;

__device__ unsigned arrived;  // 0 before and after each call

// ---------------------------------------------------------------------------
// What there is to know of a result: what it is of nothing, of one element, and of two together.

template <class T>
struct Sum {
    using Element = T;
    using Value = T;
    static __device__ T of_nothing() { return 0; }
    static __device__ T of(T x) { return x; }
    static __device__ T together(T a, T b) { return a + b; }
};

struct Largest {
    using Element = float;
    using Value = float;
    static __device__ float of_nothing() { return -INFINITY; }
    static __device__ float of(float x) { return x; }
    static __device__ float together(float a, float b) { return fmaxf(a, b); }
};

struct Range {
    using Element = int;
    using Value = IntRange;
    static __device__ IntRange of_nothing() { return {INT_MAX, INT_MIN}; }
    static __device__ IntRange of(int x) { return {x, x}; }
    static __device__ IntRange together(IntRange a, IntRange b) {
        return {min(a.lowest, b.lowest), max(a.highest, b.highest)};
    }
};

template <class T>
__device__ T from_lane_above(T mine, int offset) {
    return __shfl_down_sync(0xffffffff, mine, offset);
}
__device__ IntRange from_lane_above(IntRange mine, int offset) {
    return {from_lane_above(mine.lowest, offset), from_lane_above(mine.highest, offset)};
}

/// Past the cache of the multiprocessor, where an old value may be.
template <class T>
__device__ T load_from_l2(const T* x) {
    return __ldcg(x);
}
__device__ IntRange load_from_l2(const IntRange* x) {
    return {__ldcg(&x->lowest), __ldcg(&x->highest)};
}

// ---------------------------------------------------------------------------
// Trees. All threads of the block must come.

/// For lane 0.
template <class R, class Value>
__device__ Value of_warp(Value mine) {
#pragma unroll
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        mine = R::together(mine, from_lane_above(mine, offset));
    }
    return mine;
}

/// For thread 0.
template <class R, class Value>
__device__ Value of_block(Value mine) {
    __shared__ Value results[kThreads / kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    mine = of_warp<R>(mine);
    __syncthreads();  // what an earlier call left has been read
    if (lane == 0) results[warp] = mine;
    __syncthreads();
    if (warp > 0) return mine;
    return of_warp<R>(lane < kThreads / kWarp ? results[lane] : R::of_nothing());
}

template <class T>
struct Four;
template <>
struct Four<int> {
    using Type = int4;
};
template <>
struct Four<float> {
    using Type = float4;
};

/// Arrays as elements before the first 16 bytes that are aligned, those groups of four, and
/// elements behind the last.
template <class T>
struct Groups {
    using FourElements = typename Four<T>::Type;
    const FourElements* fours;
    int before, count, behind;  ///< `behind` is the first element that is

    __device__ Groups(const T* a, int n) {
        const auto address = reinterpret_cast<std::uintptr_t>(a) / sizeof(T);
        before = min(n, static_cast<int>((4 - address % 4) % 4));
        fours = reinterpret_cast<const FourElements*>(a + before);
        count = (n - before) / 4;
        behind = before + 4 * count;
    }
};

/// Calls take(k, x) for each of this thread's elements x: kLoads groups of four at a time, each
/// group with a k of its own from 0 to kLoads - 1.
template <class T, class Take>
__device__ void for_share(const T* a, int n, const Take& take) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const Groups<T> groups(a, n);
    int i = first;
    for (; i < groups.count - (kLoads - 1) * stride; i += kLoads * stride) {
        typename Groups<T>::FourElements v[kLoads];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) v[k] = groups.fours[i + k * stride];
#pragma unroll
        for (int k = 0; k < kLoads; ++k) {
            take(k, v[k].x);
            take(k, v[k].y);
            take(k, v[k].z);
            take(k, v[k].w);
        }
    }
    for (; i < groups.count; i += stride) {
        const typename Groups<T>::FourElements v = groups.fours[i];
        take(0, v.x);
        take(0, v.y);
        take(0, v.z);
        take(0, v.w);
    }
    if (first < groups.before) take(0, a[first]);
    if (groups.behind + first < n) take(0, a[groups.behind + first]);
}

template <class Value>
__device__ Value block_results[kMostBlocks];

template <class R>
__global__ void __launch_bounds__(kThreads)
    reduce_kernel(const typename R::Element* a, typename R::Value* result, int n) {
    using Value = typename R::Value;
    __shared__ bool is_last;
    Value mine[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) mine[k] = R::of_nothing();
    for_share(a, n, [&](int k, auto x) { mine[k] = R::together(mine[k], R::of(x)); });
    const Value block =
        of_block<R>(R::together(R::together(mine[0], mine[1]), R::together(mine[2], mine[3])));
    if (threadIdx.x == 0) {
        block_results<Value>[blockIdx.x] = block;
        __threadfence();  // the result is visible before the arrival is
        // Counts from 0 to gridDim.x - 1, and then starts again at 0.
        is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    Value all = R::of_nothing();
    for (int b = threadIdx.x; b < gridDim.x; b += kThreads) {
        all = R::together(all, load_from_l2(&block_results<Value>[b]));
    }
    all = of_block<R>(all);
    if (threadIdx.x == 0) *result = all;
}

/// As many blocks as fit the GPU at once, or as there is work for.
template <class Kernel>
int blocks_for(Kernel kernel, int n, int threads) {
    int device = 0, multiprocessors = 0, blocks = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0);
    return std::min({n / (4 * threads) + 1, multiprocessors * blocks, kMostBlocks});
}

template <class R>
void reduce(const typename R::Element* a, typename R::Value* result, int n) {
    // One block for n = 0, too: it stores the result of nothing.
    reduce_kernel<R><<<blocks_for(reduce_kernel<R>, n, kThreads), kThreads>>>(a, result, n);
}

// ---------------------------------------------------------------------------

constexpr int kMostBins = 1024;
constexpr int kCounterThreads = 256, kSets = kCounterThreads / kWarp / 2;

__global__ void __launch_bounds__(kCounterThreads)
    histogram_kernel(const int* keys, int* counts, int n, int bins) {
    __shared__ int sets[kSets][kMostBins];
    for (int bin = threadIdx.x; bin < bins; bin += kCounterThreads) {
        for (int set = 0; set < kSets; ++set) sets[set][bin] = 0;
    }
    __syncthreads();
    int* const mine = sets[threadIdx.x / kWarp % kSets];
    for_share(keys, n, [&](int, int key) { atomicAdd(&mine[key], 1); });
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += kCounterThreads) {
        int count = 0;
        for (int set = 0; set < kSets; ++set) count += sets[set][bin];
        if (count > 0) atomicAdd(&counts[bin], count);
    }
}

}  // namespace

void sum_of_ints(const int* a, int* total, int n) {
    reduce<Sum<int>>(a, total, n);
}

void sum_of_floats(const float* a, float* total, int n) {
    reduce<Sum<float>>(a, total, n);
}

void range_of_ints(const int* a, IntRange* range, int n) {
    reduce<Range>(a, range, n);
}

void max_of_floats(const float* a, float* largest, int n) {
    reduce<Largest>(a, largest, n);
}

void block_first_sum(const float* a, float* total, int n) {
    reduce<Sum<float>>(a, total, n);
}

void histogram(const int* keys, int* counts, int n, int bins) {
    cudaMemsetAsync(counts, 0, bins * sizeof(int));
    const int blocks = blocks_for(histogram_kernel, n, kCounterThreads);
    histogram_kernel<<<blocks, kCounterThreads>>>(keys, counts, n, bins);
}
