// Wrong: argmax_block searches by the whole GPU. The contract asks for one block.
//
// expect vgpu: "argmax_block: any number of elements": "more than one block"
// expect gpu: nothing

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
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value) return true;
    if (x.value < y.value) return false;
    // Two equal values, or two NaNs. As unsigned, -1 is the largest number.
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
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
    __shared__ Best bests[kThreads];
    bests[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const Best other = bests[threadIdx.x + half];
            if (wins(other, mine)) mine = other;
            bests[threadIdx.x] = mine;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *best = mine;
}

int blocks_for(int n);
void argmax_block(const float* a, Best* best, int n) {
    Best* partial;
    CUDA_CHECK(cudaMallocAsync(&partial, kMostBlocks * sizeof(Best), 0));
    argmax(a, partial, best, n);
    CUDA_CHECK(cudaFreeAsync(partial, 0));
    return;
    // TODO(2/4) again: kThreads threads.
    const int threads = kThreads;
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
    const auto warp_best = [](Best mine) {
        for (int offset = kWarp / 2; offset > 0; offset /= 2) {
            const Best other = {__shfl_down_sync(0xffffffff, mine.value, offset),
                                __shfl_down_sync(0xffffffff, mine.index, offset)};
            if (wins(other, mine)) mine = other;
        }
        return mine;
    };
    __shared__ Best warp_bests[kThreads / kWarp];
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    Best mine = warp_best(best_of_thread(a, n));
    if (lane == 0) warp_bests[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = warp_best(lane < kThreads / kWarp ? warp_bests[lane] : nothing());
        if (lane == 0) bests[blockIdx.x] = mine;
    }
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    // TODO(3/4) again: From `a` to `partial` by many blocks, on to `best` by one.
    const int blocks = blocks_for(n);
    argmax_kernel<<<blocks, kThreads>>>(a, partial, n);
    CUDA_CHECK(cudaGetLastError());
    argmax_kernel<<<1, kThreads>>>(partial, best, blocks);
    CUDA_CHECK(cudaGetLastError());
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
    unsigned bits = __float_as_uint(value == 0.0F ? 0.0F : value);  // -0 becomes 0
    bits = bits >> 31 ? ~bits : bits | 0x80000000;
    if (isnan(value)) bits = 0xffffffff;
    return static_cast<unsigned long long>(bits) << 32 | ~static_cast<unsigned>(i);
}

/// The index in a key. Of 0, the key of no element: -1.
__device__ int index_of(unsigned long long key) {
    // TODO(4/4) again: About 1 line.
    return static_cast<int>(~static_cast<unsigned>(key));
}

__global__ void argmax_packed_kernel(const float* a, unsigned long long* key, int n) {
    const int stride = gridDim.x * blockDim.x;
    // TODO(4/4) again: This is right, but stands in line for *key once an element.
    //            Once a warp is enough. About 8 lines.
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine = max(mine, key_of(a[i], i));
    }
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        mine = max(mine, __shfl_down_sync(0xffffffff, mine, offset));
    }
    if (threadIdx.x % kWarp == 0) atomicMax(key, mine);
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
