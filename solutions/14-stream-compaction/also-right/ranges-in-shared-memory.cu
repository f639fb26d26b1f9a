// Right: each warp keeps its range of slots in shared memory, as the program did that this lab goes
// back to, but what orders the lanes is written down: __syncwarp() and a ballot, not the hope that
// lanes run in step. Elements find their places by a scan of the block in shared memory. Jobs are
// dealt out beforehand.

#include <algorithm>

#include "stream_compaction.h"

constexpr int kThreads = 256, kWarp = 32, kWarps = kThreads / kWarp;
constexpr int kRow = 8;  // elements of a thread, one after the other
constexpr int kElements = kThreads * kRow;

/// The sum of what all threads before this one have, and in `all` that of the block.
static __device__ int sum_before(int mine, int& all) {
    __shared__ int sums[2][kThreads];
    int from = 0;
    sums[0][threadIdx.x] = mine;
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
        const int other = threadIdx.x >= distance ? sums[from][threadIdx.x - distance] : 0;
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + other;
        from = 1 - from;
        __syncthreads();
    }
    all = sums[from][kThreads - 1];
    const int before = sums[from][threadIdx.x] - mine;
    __syncthreads();
    return before;
}

/// A bit for each of the thread's elements that is kept.
static __device__ unsigned kept_ones(const float* a, int n, float (&x)[kRow]) {
    const int begin = (blockIdx.x * kThreads + threadIdx.x) * kRow;
    unsigned ones = 0;
    for (int k = 0; k < kRow; ++k) {
        x[k] = begin + k < n ? a[begin + k] : 0;
        if (x[k] > 0) ones |= 1u << k;
    }
    return ones;
}

static __device__ void store(const float (&x)[kRow], unsigned ones, float* to) {
    for (int k = 0; k < kRow; ++k) {
        if (ones >> k & 1) *to++ = x[k];
    }
}

static __global__ void any_kernel(const float* a, float* kept, int* count, int n) {
    __shared__ int begin;
    float x[kRow];
    const unsigned ones = kept_ones(a, n, x);
    int all;
    const int before = sum_before(__popc(ones), all);
    if (threadIdx.x == 0) begin = atomicAdd(count, all);
    __syncthreads();
    store(x, ones, kept + begin + before);
}

void compact_any(const float* a, float* kept, int* count, int n) {
    cudaMemsetAsync(count, 0, sizeof(*count));
    if (n > 0) any_kernel<<<(n - 1) / kElements + 1, kThreads>>>(a, kept, count, n);
}

static __global__ void count_kernel(const float* a, int* offsets, int n) {
    float x[kRow];
    int all;
    sum_before(__popc(kept_ones(a, n, x)), all);
    if (threadIdx.x == 0) offsets[blockIdx.x] = all;
}

static __global__ void scan_kernel(int* offsets, int* count, int tiles) {
    int before = 0;
    for (int first = 0; first < tiles; first += kThreads) {
        const int t = first + threadIdx.x;
        const int mine = t < tiles ? offsets[t] : 0;
        int all;
        const int sum = sum_before(mine, all);
        if (t < tiles) offsets[t] = before + sum;
        before += all;
    }
    if (threadIdx.x == 0) *count = before;
}

static __global__ void place_kernel(const float* a, const int* offsets, float* kept, int n) {
    float x[kRow];
    const unsigned ones = kept_ones(a, n, x);
    int all;
    const int before = sum_before(__popc(ones), all);
    store(x, ones, kept + offsets[blockIdx.x] + before);
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    const int tiles = (n + kElements - 1) / kElements;
    if (n > 0) count_kernel<<<tiles, kThreads>>>(a, offsets, n);
    scan_kernel<<<1, kThreads>>>(offsets, count, tiles);
    if (n > 0) place_kernel<<<tiles, kThreads>>>(a, offsets, kept, n);
}

__device__ int values_made, slots_reserved;

static __global__ void append_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    __shared__ int offset[kWarps], end[kWarps];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    if (lane == 0) offset[warp] = end[warp] = 0;
    __syncwarp();
    const int stride = gridDim.x * kThreads;
    int job = blockIdx.x * kThreads + threadIdx.x, divisor = 2;
    int rest = job < jobs ? numbers[job] : 1;
    while (__any_sync(0xffffffff, job < jobs)) {
        bool found = false;
        if (rest > 1) {
            if (divisor * divisor > rest) divisor = rest;
            found = rest % divisor == 0;
        }
        const unsigned lanes = __ballot_sync(0xffffffff, found);
        const int wanted = __popc(lanes);
        int slot = offset[warp] + __popc(lanes & ((1u << lane) - 1));
        const int old_end = end[warp];
        const int missing = offset[warp] + wanted - old_end;
        __syncwarp();  // all have read the range, before one lane changes it
        if (lane == 0 && missing <= 0) offset[warp] += wanted;
        if (lane == 0 && missing > 0) {
            const int begin = atomicAdd(&slots_reserved, kRange);
            offset[warp] = begin + missing;
            end[warp] = begin + kRange;
        }
        __syncwarp();
        if (found) {
            if (slot >= old_end) slot += end[warp] - kRange - old_end;
            if (slot < capacity) entries[slot] = {job, divisor};
            atomicAdd(&values_made, 1);
            rest /= divisor;
        } else {
            ++divisor;
        }
        if (rest == 1 && job < jobs) {
            job += stride;
            divisor = 2;
            if (job < jobs) rest = numbers[job];
        }
        __syncwarp();
    }
    for (int slot = offset[warp] + lane; slot < end[warp]; slot += kWarp) {
        if (slot < capacity) entries[slot] = kEmpty;
    }
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
