// Lab 12: Maximum and its index. A reduction whose result is two numbers that must
// stay together.
//
//   Handout   labs/12-argmax/README.md
//   Check     ./lab grade 12
//   Stuck     ./lab hint 12

#include "argmax.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

// ---------------------------------------------------------------------------
// Error checking: every CUDA call goes through CUDA_CHECK.

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;  // a block: a power of two, for the tree
inline constexpr int kWarp = 32;

// ---------------------------------------------------------------------------
// Task 1: which of two elements is better?

/// What a search begins with. Every element wins against it.
__device__ Best nothing() {
    return {-INFINITY, -1};
}

/// Whether x is better than y.
__device__ bool wins(Best x, Best y) {
    // TODO(1/4): Compare the values. A NaN beats every number. Of two equal values,
    //            or two NaNs, the one with the smaller index wins, but index -1
    //            loses against every other. About 6 lines. Handout: "Which one wins?"
    return false;
}

/// Element i of the vector, or of the blocks' bests.
__device__ Best element(const float* a, int i) {
    return {a[i], i};
}
__device__ Best element(const Best* partial, int i) {
    return partial[i];
}

/// The best of this thread's elements: every stride-th, in the whole grid.
template <class T>
__device__ Best best_of_thread(const T* a, int n) {
    const int stride = gridDim.x * blockDim.x;
    Best mine = nothing();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const Best other = element(a, i);
        if (wins(other, mine)) mine = other;
    }
    return mine;
}

// ---------------------------------------------------------------------------
// Task 2: one block, through shared memory.

__global__ void argmax_block_kernel(const float* a, Best* best, int n) {
    Best mine = best_of_thread(a, n);
    // TODO(2/4): Find the best of all threads' `mine`: put them into an array in
    //            shared memory, bests[kThreads], halve it as in lab 08, and give
    //            thread 0 the result. Below, launch kThreads threads.
    //            About 10 lines. Handout: "One block".
    if (threadIdx.x == 0) *best = mine;
}

void argmax_block(const float* a, Best* best, int n) {
    // TODO(2/4) again: kThreads threads.
    const int threads = 1;
    argmax_block_kernel<<<1, threads>>>(a, best, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 3: many blocks. Each leaves its best, then one block finds the best of those.

/// As many blocks as the GPU holds at once, but at least 1, and no more than `n`
/// elements have work for.
int blocks_for(int n) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int most = std::min(multiprocessors * (2048 / kThreads), kMostBlocks);
    return std::clamp((n - 1) / kThreads + 1, 1, most);
}

/// bests[b] = the best of what block b looks at. T is float, then Best.
template <class T>
__global__ void argmax_kernel(const T* a, Best* bests, int n) {
    // TODO(3/4): The best of this thread, of its warp (two shuffles a step, one
    //            for each member), and of the block's warps. Launch it twice below.
    //            About 20 lines. Handout: "Many blocks".
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    // TODO(3/4) again: From `a` to `partial` by many blocks, on to `best` by one.
}

// ---------------------------------------------------------------------------
// Task 4: value and index in one number, of 64 bits, which atomicMax can compare.
//
//   key   [ 63 ... value, so that larger is better ... 32 | 31 ... index ... 0 ]

/// A key for element i: of two, the larger is the better element. Never 0.
__device__ unsigned long long key_of(float value, int i) {
    // TODO(4/4): Upper half: an unsigned number that grows with the value, the
    //            largest of all for every NaN, and the same for -0 and 0. Lower
    //            half: a number that falls with the index.
    //            About 8 lines. Handout: "One number".
    return 0;
}

/// The index in a key. Of 0, the key of no element: -1.
__device__ int index_of(unsigned long long key) {
    // TODO(4/4) again: About 1 line.
    return -1;
}

__global__ void argmax_packed_kernel(const float* a, unsigned long long* key, int n) {
    const int stride = gridDim.x * blockDim.x;
    // TODO(4/4) again: This is right, but stands in line for *key once an element.
    //            Once a warp is enough. About 8 lines.
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicMax(key, key_of(a[i], i));
    }
}

__global__ void unpack_kernel(const float* a, const unsigned long long* key, Best* best) {
    const int i = index_of(*key);
    *best = i < 0 ? nothing() : element(a, i);
}

void argmax_packed(const float* a, unsigned long long* key, Best* best, int n) {
    CUDA_CHECK(cudaMemsetAsync(key, 0, sizeof(*key)));  // smaller than every key
    argmax_packed_kernel<<<blocks_for(n), kThreads>>>(a, key, n);
    CUDA_CHECK(cudaGetLastError());
    unpack_kernel<<<1, 1>>>(a, key, best);
    CUDA_CHECK(cudaGetLastError());
}
