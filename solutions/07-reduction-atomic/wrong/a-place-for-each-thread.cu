// Wrong: writes past the end. Each thread adds to a place of its own, and there is but one.
//
// expect vgpu: "sum_of_ints: one line, and exact": "has one element, which all threads of all blocks share"
// expect gpu: "sum_of_ints: one line, and exact": "past the end"

#include "reduction_atomic.h"

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;  // in a block

/// Number of blocks that n elements need; 1 for none, since a grid of 0 blocks is an error.
int blocks_for(int n) {
    return n > 0 ? (n - 1) / kThreads + 1 : 1;
}

/// Stores a value at one place. Set results with it before you launch what adds to them:
/// set_kernel<<<1, 1>>>(total, 0);
template <class T>
__global__ void set_kernel(T* place, T value) {
    *place = value;
}

// ---------------------------------------------------------------------------
// Sums: every thread adds its element to *total. T is int or float.

template <class T>
__global__ void sum_kernel(const T* a, T* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total + i, a[i]);
}

void sum_of_ints(const int* a, int* total, int n) {
    set_kernel<<<1, 1>>>(total, 0);
    sum_kernel<<<blocks_for(n), kThreads>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
}

void sum_of_floats(const float* a, float* total, int n) {
    set_kernel<<<1, 1>>>(total, 0.0f);
    sum_kernel<<<blocks_for(n), kThreads>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Minimum and maximum of integers.

__global__ void range_kernel(const int* a, IntRange* range, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicMin(&range->lowest, a[i]);
    atomicMax(&range->highest, a[i]);
}

void range_of_ints(const int* a, IntRange* range, int n) {
    set_kernel<<<1, 1>>>(range, IntRange{INT_MAX, INT_MIN});
    range_kernel<<<blocks_for(n), kThreads>>>(a, range, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Maximum of floats: there is no atomicMax for them, so build one.

/// *place = max(*place, x), as one step that no other thread can interrupt.
__device__ void atomic_max(float* place, float x) {
    int* const bits = reinterpret_cast<int*>(place);
    int seen = *bits;
    while (x > __int_as_float(seen)) {
        const int there = atomicCAS(bits, seen, __float_as_int(x));
        if (there == seen) return;  // nobody was faster: x is stored
        seen = there;
    }
}

__global__ void max_kernel(const float* a, float* largest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(largest, a[i]);
}

void max_of_floats(const float* a, float* largest, int n) {
    set_kernel<<<1, 1>>>(largest, -INFINITY);
    max_kernel<<<blocks_for(n), kThreads>>>(a, largest, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Shared memory first: few threads meet there, and it is near.
//
//   a         [ elements of block 0 ][ elements of block 1 ] ...
//              \   |   |   |   |   /  \   |   |   |   |   /       atomics in shared memory
//                  block_total            block_total
//                       \                    /                    one atomic a block
//                               *total

__global__ void block_first_kernel(const float* a, float* total, int n) {
    __shared__ float block_total;
    if (threadIdx.x == 0) block_total = 0;
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&block_total, a[i]);
    __syncthreads();

    if (threadIdx.x == 0) atomicAdd(total, block_total);
}

void block_first_sum(const float* a, float* total, int n) {
    set_kernel<<<1, 1>>>(total, 0.0f);
    block_first_kernel<<<blocks_for(n), kThreads>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Histogram: many totals at once, counts[keys[i]] for each i.

constexpr int kMostBins = 1024;
static_assert(kMostBins * sizeof(int) <= 48 * 1024, "more than a block's shared memory");
constexpr int kMostBlocks = 264;  // enough to fill an H200; each adds its counts once

__global__ void histogram_kernel(const int* keys, int* counts, int n, int bins) {
    __shared__ int block_counts[kMostBins];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) block_counts[bin] = 0;
    __syncthreads();

    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicAdd(&block_counts[keys[i]], 1);
    }
    __syncthreads();

    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&counts[bin], block_counts[bin]);
    }
}

void histogram(const int* keys, int* counts, int n, int bins) {
    CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof(int)));
    const int blocks = blocks_for(n) < kMostBlocks ? blocks_for(n) : kMostBlocks;
    histogram_kernel<<<blocks, kThreads>>>(keys, counts, n, bins);
    CUDA_CHECK(cudaGetLastError());
}
