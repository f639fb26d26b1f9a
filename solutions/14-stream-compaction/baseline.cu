// Lab 14, baseline: right, and slow. An atomic operation for each element that is kept, one block
// for all that must stay in order, and a thread for each job.
//
// On a GPU the assembler joins the operations of a warp on one address into one, as reserve() does
// by hand. It may do so, as nobody can see the difference; the PTX has one for each lane.

#include "stream_compaction.h"

constexpr int kThreads = 256;

static __global__ void any_kernel(const float* a, float* kept, int* count, int n) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n && a[i] > 0) kept[atomicAdd(count, 1)] = a[i];
}

void compact_any(const float* a, float* kept, int* count, int n) {
    cudaMemsetAsync(count, 0, sizeof(*count));
    if (n > 0) any_kernel<<<(n - 1) / kThreads + 1, kThreads>>>(a, kept, count, n);
}

/// One block: a thread counts what it keeps of a row of 8, the threads' counts are added up, and
/// the next rows follow.
static __global__ void stable_kernel(const float* a, float* kept, int* count, int n) {
    constexpr int kRow = 8;
    __shared__ int sums[2][kThreads];
    const int thread = threadIdx.x;
    int before = 0;
    for (long long first = 0; first < n; first += kThreads * kRow) {
        const long long begin = first + thread * kRow;
        int mine = 0;
        for (long long i = begin; i < begin + kRow && i < n; ++i) mine += a[i] > 0 ? 1 : 0;
        int from = 0;
        sums[0][thread] = mine;
        for (int distance = 1; distance < kThreads; distance *= 2, from = 1 - from) {
            __syncthreads();
            const int other = thread >= distance ? sums[from][thread - distance] : 0;
            sums[1 - from][thread] = sums[from][thread] + other;
        }
        __syncthreads();
        int place = before + sums[from][thread] - mine;
        for (long long i = begin; i < begin + kRow && i < n; ++i) {
            if (a[i] > 0) kept[place++] = a[i];
        }
        before += sums[from][kThreads - 1];
        __syncthreads();
    }
    if (thread == 0) *count = before;
}

void compact_stable(const float* a, int*, float* kept, int* count, int n) {
    stable_kernel<<<1, kThreads>>>(a, kept, count, n);
}

/// How many values there are.
__device__ int values;

static __global__ void factors_kernel(const int* numbers, Entry* entries, int jobs, int capacity) {
    const int job = blockIdx.x * kThreads + threadIdx.x;
    if (job >= jobs) return;
    int rest = numbers[job];
    for (int divisor = 2; rest > 1;) {
        if (divisor * divisor > rest) divisor = rest;
        if (rest % divisor != 0) {
            ++divisor;
            continue;
        }
        rest /= divisor;
        const int slot = atomicAdd(&values, 1);
        if (slot < capacity) entries[slot] = {job, divisor};
    }
}

/// All values are there without a gap: only the last range has unused slots.
static __global__ void gap_kernel(Entry* entries, int made, int reserved, int capacity) {
    const int slot = made + threadIdx.x;
    if (slot < reserved && slot < capacity) entries[slot] = kEmpty;
}

void append(const int* numbers, Entry* entries, int* made, int* reserved, int jobs, int capacity) {
    const int zero = 0;
    cudaMemcpyToSymbol(values, &zero, sizeof(zero));
    if (jobs > 0) {
        factors_kernel<<<(jobs - 1) / kThreads + 1, kThreads>>>(numbers, entries, jobs, capacity);
    }
    cudaMemcpyFromSymbol(made, values, sizeof(*made));
    *reserved = (*made + kRange - 1) / kRange * kRange;
    gap_kernel<<<1, kRange>>>(entries, *made, *reserved, capacity);
    cudaDeviceSynchronize();
}
