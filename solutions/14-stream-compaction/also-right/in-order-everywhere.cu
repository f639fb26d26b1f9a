// Right: "in any order" includes the order of `a`, so one program does both: a block finds the
// places of its elements by a scan of the warps' counts, and the tiles before are added up by a
// kernel of one warp. Each of the jobs' lanes collects what it finds until its warp has something
// to store.

#include <algorithm>

#include "stream_compaction.h"

constexpr int kThreads = 512, kWarp = 32, kWarps = kThreads / kWarp;
constexpr int kEach = kTile / kThreads;
constexpr unsigned kAllLanes = 0xffffffff;

static __device__ int before_in_warp(int mine) {
    int sum = mine;
    for (int distance = 1; distance < kWarp; distance *= 2) {
        const int other = __shfl_up_sync(kAllLanes, sum, distance);
        if (threadIdx.x % kWarp >= distance) sum += other;
    }
    return sum - mine;
}

/// Four neighbours a thread. Returns how many of them are kept.
static __device__ int load(const float* a, int n, float (&x)[kEach]) {
    const int begin = blockIdx.x * kTile + threadIdx.x * kEach;
    int kept = 0;
    for (int k = 0; k < kEach; ++k) {
        x[k] = begin + k < n ? a[begin + k] : -1;
        kept += x[k] > 0 ? 1 : 0;
    }
    return kept;
}

static __global__ void count_kernel(const float* a, int* offsets, int n) {
    float x[kEach];
    const int mine = load(a, n, x);
    int all = 0;
    for (int bit = 0; bit < 3; ++bit) all += __syncthreads_count(mine >> bit & 1) << bit;
    if (threadIdx.x == 0) offsets[blockIdx.x] = all;
}

/// The sum of what all threads of the block before this one have.
static __device__ int before_in_block(int mine, int* sums) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const int before = before_in_warp(mine);
    if (lane == kWarp - 1) sums[warp] = before + mine;
    __syncthreads();
    const int of_warps = before_in_warp(lane < kWarps ? sums[lane] : 0);
    return before + __shfl_sync(kAllLanes, of_warps, warp);
}

static __global__ void scan_kernel(int* offsets, int* count, int tiles) {
    __shared__ int sums[2][kWarps];  // in turn
    __shared__ int of_rounds;
    int before = 0;
    for (int first = 0, turn = 0; first < tiles; first += kThreads, turn = 1 - turn) {
        const int t = first + threadIdx.x;
        const int mine = t < tiles ? offsets[t] : 0;
        const int place = before + before_in_block(mine, sums[turn]);
        if (t < tiles) offsets[t] = place;
        if (threadIdx.x == kThreads - 1) of_rounds = place + mine;
        __syncthreads();
        before = of_rounds;
        __syncthreads();
    }
    if (threadIdx.x == 0) *count = before;
}

static __global__ void place_kernel(const float* a, const int* offsets, float* kept, int n) {
    __shared__ int sums[kWarps];
    float x[kEach];
    const int mine = load(a, n, x);
    int place = offsets[blockIdx.x] + before_in_block(mine, sums);
    for (int k = 0; k < kEach; ++k) {
        if (x[k] > 0) kept[place++] = x[k];
    }
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    const int tiles = (n + kTile - 1) / kTile;
    if (tiles > 0) count_kernel<<<tiles, kThreads>>>(a, offsets, n);
    scan_kernel<<<1, kThreads>>>(offsets, count, tiles);
    if (tiles > 0) place_kernel<<<tiles, kThreads>>>(a, offsets, kept, n);
}

void compact_any(const float* a, float* kept, int* count, int n) {
    int* offsets = nullptr;
    cudaMallocAsync(&offsets, (n / kTile + 2) * sizeof(int), nullptr);
    compact_stable(a, offsets, kept, count, n);
    cudaFreeAsync(offsets, nullptr);
}

__device__ int values_made, slots_reserved;

/// A number has at most 29 prime factors. All lanes finish their job, then the warp stores what
/// they have, in the order of the lanes.
static __global__ void append_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    const int lane = threadIdx.x % kWarp;
    const int stride = gridDim.x * kThreads;
    int next = 0, end = 0, made = 0;
    for (int first = blockIdx.x * kThreads + threadIdx.x - lane; first < jobs; first += stride) {
        int factors[30], mine = 0;
        const int job = first + lane;
        int rest = job < jobs ? numbers[job] : 1;
        for (int divisor = 2; rest > 1;) {
            if (divisor * divisor > rest) divisor = rest;
            if (rest % divisor == 0) {
                factors[mine++] = divisor;
                rest /= divisor;
            } else {
                ++divisor;
            }
        }
        const int before = before_in_warp(mine);
        const int all = __shfl_sync(kAllLanes, before + mine, kWarp - 1);
        made += all;
        const int ranges = (max(next + all - end, 0) + kRange - 1) / kRange;
        int begin = 0;  // ranges that follow each other, all at once
        if (lane == 0 && ranges > 0) begin = atomicAdd(&slots_reserved, ranges * kRange);
        begin = __shfl_sync(kAllLanes, begin, 0);
        for (int k = 0; k < mine; ++k) {
            int slot = next + before + k;
            if (slot >= end) slot += begin - end;
            if (slot < capacity) entries[slot] = {job, factors[k]};
        }
        next += all;
        if (ranges > 0) {
            next += begin - end;
            end = begin + ranges * kRange;
        }
    }
    for (int slot = next + lane; slot < min(end, capacity); slot += kWarp) entries[slot] = kEmpty;
    if (lane == 0) atomicAdd(&values_made, made);
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    const int zero = 0;
    cudaMemcpyToSymbol(values_made, &zero, sizeof(zero));
    cudaMemcpyToSymbol(slots_reserved, &zero, sizeof(zero));
    append_kernel<<<std::clamp(jobs / kThreads, 1, 264), kThreads>>>(numbers, entries, jobs,
                                                                     capacity);
    cudaMemcpyFromSymbol(made, values_made, sizeof(*made));
    cudaMemcpyFromSymbol(reserved, slots_reserved, sizeof(*reserved));
}
