// Right: the lowest lane that wants a place leads, inside the branch, and the mask of the shuffle
// names the lanes that are there. A thread takes one element at a time, in a loop over the grid; a
// block's counter is used again in each round. In order: a block for each share of the vector. For
// jobs, lanes fetch 32 at once, and all wait for the longest.

#include <algorithm>

#include "stream_compaction.h"

constexpr int kThreads = 1024, kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

static __device__ unsigned lower_lanes() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

static __device__ int reserve(bool wants, int* counter) {
    const unsigned lanes = __ballot_sync(kAllLanes, wants);
    int first = 0;
    if (wants) {
        const int leader = __ffs(lanes) - 1;
        if (threadIdx.x % kWarp == leader) first = atomicAdd(counter, __popc(lanes));
        first = __shfl_sync(lanes, first, leader);
    }
    return first + __popc(lanes & lower_lanes());
}

static __global__ void any_kernel(const float* a, float* kept, int* count, int n) {
    __shared__ int in_block, begin;
    const int stride = gridDim.x * kThreads;
    for (int first = blockIdx.x * kThreads; first < n; first += stride) {
        if (threadIdx.x == 0) in_block = 0;
        __syncthreads();
        const int i = first + threadIdx.x;
        const bool keeps = i < n && a[i] > 0;
        const int place = reserve(keeps, &in_block);
        __syncthreads();
        if (threadIdx.x == 0) begin = atomicAdd(count, in_block);
        __syncthreads();
        if (keeps) kept[begin + place] = a[i];
    }
}

void compact_any(const float* a, float* kept, int* count, int n) {
    cudaMemsetAsync(count, 0, sizeof(*count));
    any_kernel<<<std::clamp(n / kThreads, 1, 264), kThreads>>>(a, kept, count, n);
}

constexpr int kMostShares = 264;

/// The elements of a share are in a row.
struct Share {
    int begin, end;
};
static __device__ Share share_of(int n) {
    const int rounds = (n + kThreads - 1) / kThreads;
    const int each = (rounds + gridDim.x - 1) / gridDim.x * kThreads;
    const long long begin = 1LL * blockIdx.x * each;
    return {static_cast<int>(min(begin, 1LL * n)), static_cast<int>(min(begin + each, 1LL * n))};
}

static __global__ void count_kernel(const float* a, int* offsets, int n) {
    __shared__ int in_share;
    if (threadIdx.x == 0) in_share = 0;
    __syncthreads();
    const Share share = share_of(n);
    int mine = 0;
    for (int i = share.begin + threadIdx.x; i < share.end; i += kThreads) mine += a[i] > 0 ? 1 : 0;
    for (int distance = 16; distance > 0; distance /= 2) {
        mine += __shfl_xor_sync(kAllLanes, mine, distance);
    }
    if (threadIdx.x % kWarp == 0) atomicAdd(&in_share, mine);
    __syncthreads();
    if (threadIdx.x == 0) offsets[blockIdx.x] = in_share;
}

static __global__ void place_kernel(const float* a, const int* offsets, float* kept, int* count,
                                    int n) {
    __shared__ int in_warps[kThreads / kWarp];
    const Share share = share_of(n);
    int begin = 0;
    for (int b = 0; b < blockIdx.x; ++b) begin += offsets[b];
    for (int first = share.begin; first < share.end; first += kThreads) {
        const int i = first + threadIdx.x;
        const bool keeps = i < share.end && a[i] > 0;
        const unsigned lanes = __ballot_sync(kAllLanes, keeps);
        if (threadIdx.x % kWarp == 0) in_warps[threadIdx.x / kWarp] = __popc(lanes);
        __syncthreads();
        int place = begin + __popc(lanes & lower_lanes());
        for (int w = 0; w < kThreads / kWarp; ++w) {
            if (w < threadIdx.x / kWarp) place += in_warps[w];
            begin += in_warps[w];
        }
        if (keeps) kept[place] = a[i];
        __syncthreads();
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) *count = begin;
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    const int shares = std::clamp(n / kTile, 1, kMostShares);
    count_kernel<<<shares, kThreads>>>(a, offsets, n);
    place_kernel<<<shares, kThreads>>>(a, offsets, kept, count, n);
}

struct Counters {
    int next_job, values, slots;
};
__device__ Counters counters;

static __global__ void append_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    const int lane = threadIdx.x % kWarp;
    int next = 0, end = 0, made = 0;
    for (;;) {
        int job = 0;
        if (lane == 0) job = atomicAdd(&counters.next_job, kWarp);
        job = __shfl_sync(kAllLanes, job, 0) + lane;
        if (__all_sync(kAllLanes, job >= jobs)) break;
        int rest = job < jobs ? numbers[job] : 1, divisor = 2;
        while (__any_sync(kAllLanes, rest > 1)) {
            if (rest > 1 && divisor * divisor > rest) divisor = rest;
            const bool found = rest > 1 && rest % divisor == 0;
            unsigned lanes = __ballot_sync(kAllLanes, found);
            made += __popc(lanes);
            // One lane after the other, lowest first.
            for (; lanes != 0; lanes &= lanes - 1) {
                if (next == end) {
                    if (lane == 0) next = atomicAdd(&counters.slots, kRange);
                    next = __shfl_sync(kAllLanes, next, 0);
                    end = next + kRange;
                }
                if (lane == __ffs(lanes) - 1 && next < capacity) entries[next] = {job, divisor};
                ++next;
            }
            if (found) {
                rest /= divisor;
            } else {
                ++divisor;
            }
        }
    }
    for (; next < min(end, capacity); ++next) {
        if (lane == 0) entries[next] = kEmpty;
    }
    if (lane == 0) atomicAdd(&counters.values, made);
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    void* address;
    cudaGetSymbolAddress(&address, counters);
    cudaMemset(address, 0, sizeof(Counters));
    append_kernel<<<std::clamp(jobs / kThreads, 1, 132), kThreads>>>(numbers, entries, jobs,
                                                                     capacity);
    Counters totals;
    cudaMemcpyFromSymbol(&totals, counters, sizeof(totals));
    *made = totals.values;
    *reserved = totals.slots;
}
