// Lab 07: Atomic reduction. One line that is always right, and what it costs.
//
//   Handout   labs/07-reduction-atomic/README.md
//   Check     ./lab grade 07
//   Stuck     ./lab hint 07

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
    // TODO(1/5): Add this thread's element to *total, if it has one, so that no
    //            other thread's addition is lost.
    //            About 2 lines. Handout: "One line".
}

void sum_of_ints(const int* a, int* total, int n) {
    // TODO(1/5) again: *total holds anything. With what must it begin?
    sum_kernel<<<blocks_for(n), kThreads>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
}

void sum_of_floats(const float* a, float* total, int n) {
    // TODO(1/5) for the last time.
    sum_kernel<<<blocks_for(n), kThreads>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Minimum and maximum of integers.

__global__ void range_kernel(const int* a, IntRange* range, int n) {
    // TODO(2/5): Lower range->lowest, and raise range->highest, to this thread's
    //            element. Let both begin, in the function below, with numbers
    //            that every element replaces.
    //            About 6 lines. Handout: "Lowest and highest".
}

void range_of_ints(const int* a, IntRange* range, int n) {
    // TODO(2/5) again: Set *range.
    range_kernel<<<blocks_for(n), kThreads>>>(a, range, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Maximum of floats: there is no atomicMax for them, so build one.

/// *place = max(*place, x), as one step that no other thread can interrupt.
__device__ void atomic_max(float* place, float x) {
    // TODO(3/5): Try to replace the number at `place` by x with atomicCAS, as
    //            long as x is larger, until it works out.
    //            About 8 lines. Handout: "The operation that is missing".
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
    // TODO(4/5): Add the block's elements to a __shared__ float with atomicAdd,
    //            then let one thread add that to *total. Who sets it to 0, and
    //            where must the threads wait?
    //            About 8 lines. Handout: "Shared memory first".
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
    // TODO(5/5): As before, with one shared counter for each bin. There may be
    //            more bins than threads, and more elements than threads in the
    //            grid: loop over both.
    //            About 12 lines. Handout: "Many totals".
}

void histogram(const int* keys, int* counts, int n, int bins) {
    CUDA_CHECK(cudaMemset(counts, 0, bins * sizeof(int)));
    const int blocks = blocks_for(n) < kMostBlocks ? blocks_for(n) : kMostBlocks;
    histogram_kernel<<<blocks, kThreads>>>(keys, counts, n, bins);
    CUDA_CHECK(cudaGetLastError());
}
