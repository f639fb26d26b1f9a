// Right: two kernels, each with half of the numbers and of the blocks that a GPU holds, side by
// side in two streams. Streams of cudaStreamCreate begin when the default stream is done, and it
// waits for them.

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
    __shared__ float partial[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? a[i] : 0.0F;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
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
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
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

/// The sum of the block's values, for thread 0.
template <class T>
__device__ T block_sum(T value) {
    __shared__ T of_warps[kWarp];
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = value;
    __syncthreads();
    if (threadIdx.x >= kWarp) return value;
    value = threadIdx.x < blockDim.x / kWarp ? of_warps[threadIdx.x] : T(0);
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

__global__ void __launch_bounds__(512)
    sum_part_kernel(const float* __restrict__ a, float* sum, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const float4* const fours = reinterpret_cast<const float4*>(a);
    float value = 0;
    for (int i = first; i < n / 4; i += stride) {
        const float4 four = fours[i];
        value += (four.x + four.y) + (four.z + four.w);
    }
    if (first < n % 4) value += a[n - 1 - first];
    value = block_sum(value);
    if (threadIdx.x == 0) atomicAdd(sum, value);
}

void sum_fast(const float* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));
    if (n == 0) return;
    static cudaStream_t streams[2];  // of the program: creating them takes longer than a sum
    static int multiprocessors = 0;
    if (multiprocessors == 0) {
        for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreate(&stream));
        CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    }
    constexpr int threads = 512;
    const int first_half = n / 8 * 4;  // whole float4s
    const int needed = (first_half / 4 + threads) / threads;
    const int blocks = std::min(needed, 2 * multiprocessors);
    sum_part_kernel<<<blocks, threads, 0, streams[0]>>>(a, sum, first_half);
    sum_part_kernel<<<blocks, threads, 0, streams[1]>>>(a + first_half, sum, n - first_half);
    CUDA_CHECK(cudaGetLastError());
}
