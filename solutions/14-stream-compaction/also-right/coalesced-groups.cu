// Right: cooperative groups. coalesced_threads() is the group of those lanes that take the branch:
// it has their number and ranks, and shuffles among them. So places may be reserved inside an if.

#include <cooperative_groups.h>

#include <algorithm>

#include "stream_compaction.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 512;
constexpr int kEach = 4;
constexpr int kElements = kThreads * kEach;  // of a block

/// A place for each thread that is here.
static __device__ int reserve(int* counter) {
    const cg::coalesced_group group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(group.size()));
    return group.shfl(first, 0) + static_cast<int>(group.thread_rank());
}

static __global__ void any_kernel(const float* a, float* kept, int* count, int n) {
    __shared__ int in_block, begin;
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) in_block = 0;
    block.sync();
    float x[kEach];
    int place[kEach];
    for (int k = 0; k < kEach; ++k) {
        const int i = blockIdx.x * kElements + k * kThreads + threadIdx.x;
        x[k] = i < n ? a[i] : -1;
        if (x[k] > 0) place[k] = reserve(&in_block);
    }
    block.sync();
    if (block.thread_rank() == 0) begin = atomicAdd(count, in_block);
    block.sync();
    for (int k = 0; k < kEach; ++k) {
        if (x[k] > 0) kept[begin + place[k]] = x[k];
    }
}

void compact_any(const float* a, float* kept, int* count, int n) {
    cudaMemsetAsync(count, 0, sizeof(*count));
    if (n > 0) any_kernel<<<(n - 1) / kElements + 1, kThreads>>>(a, kept, count, n);
}

/// kStores: offsets hold what the tiles before keep, and elements are stored; else they are
/// counted.
template <bool kStores>
static __global__ void tile_kernel(const float* a, int* offsets, float* kept, int n) {
    __shared__ int in_warps[kThreads / 32];
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int number = threadIdx.x / 32;
    int begin = kStores ? offsets[blockIdx.x] : 0;
    for (int k = 0; k < kEach; ++k) {
        const int i = blockIdx.x * kElements + k * kThreads + threadIdx.x;
        const float x = i < n ? a[i] : -1;
        const unsigned lanes = warp.ballot(x > 0);
        if (warp.thread_rank() == 0) in_warps[number] = __popc(lanes);
        __syncthreads();
        int place = begin + __popc(lanes & ((1u << warp.thread_rank()) - 1));
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < number) place += in_warps[w];
            begin += in_warps[w];
        }
        if (kStores && x > 0) kept[place] = x;
        __syncthreads();
    }
    if (!kStores && threadIdx.x == 0) offsets[blockIdx.x] = begin;
}

/// One warp, 32 tiles a round.
static __global__ void scan_kernel(int* offsets, int* count, int tiles) {
    int before = 0;
    for (int first = 0; first < tiles; first += 32) {
        const int t = first + threadIdx.x;
        const int mine = t < tiles ? offsets[t] : 0;
        int sum = mine;
        for (int distance = 1; distance < 32; distance *= 2) {
            const int other = __shfl_up_sync(0xffffffff, sum, distance);
            if (threadIdx.x >= distance) sum += other;
        }
        if (t < tiles) offsets[t] = before + sum - mine;
        before += __shfl_sync(0xffffffff, sum, 31);
    }
    if (threadIdx.x == 0) *count = before;
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    const int tiles = (n + kElements - 1) / kElements;
    if (n > 0) tile_kernel<false><<<tiles, kThreads>>>(a, offsets, kept, n);
    scan_kernel<<<1, 32>>>(offsets, count, tiles);
    if (n > 0) tile_kernel<true><<<tiles, kThreads>>>(a, offsets, kept, n);
}

__device__ int values, slots;

/// Lanes that find a factor at the same time take slots together, inside the branch. Then all
/// values stand one after the other, and only the last range has gaps.
static __global__ void append_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    const int stride = gridDim.x * kThreads;
    for (int job = blockIdx.x * kThreads + threadIdx.x; job < jobs; job += stride) {
        int rest = numbers[job];
        for (int divisor = 2; rest > 1;) {
            if (divisor * divisor > rest) divisor = rest;
            if (rest % divisor != 0) {
                ++divisor;
                continue;
            }
            rest /= divisor;
            const int slot = reserve(&values);
            if (slot < capacity) entries[slot] = {job, divisor};
        }
    }
}

static __global__ void gap_kernel(Entry* entries, int capacity) {
    slots = (values + kRange - 1) / kRange * kRange;
    for (int slot = values; slot < slots && slot < capacity; ++slot) entries[slot] = kEmpty;
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    const int zero = 0;
    cudaMemcpyToSymbol(values, &zero, sizeof(zero));
    append_kernel<<<std::clamp(jobs / kThreads, 1, 264), kThreads>>>(numbers, entries, jobs,
                                                                     capacity);
    gap_kernel<<<1, 1>>>(entries, capacity);
    cudaMemcpyFromSymbol(made, values, sizeof(*made));
    cudaMemcpyFromSymbol(reserved, slots, sizeof(*reserved));
}
