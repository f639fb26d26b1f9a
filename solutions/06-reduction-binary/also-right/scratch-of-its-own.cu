// Right: min_max_sum leaves its results on the way in memory of its own, three arrays, and reduces
// each with one block in a stream of its own.

#include "reduction_binary.h"

#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kMostThreads = 1024;  // in a block, on every GPU
constexpr int kThreads = 256;       // in a block, where this file may choose
static_assert(kThreads <= kMostThreads, "no GPU has blocks of more");

/// Number of blocks of `threads` threads that n elements need.
int blocks_for(int n, int threads) {
    return n / threads + (n % threads != 0);
}

// ---------------------------------------------------------------------------
// Device: each block adds up its elements in shared memory, in pairs.
//
//   values   [0]  [1]  [2]  [3]  [4]  [5]  [6]  [7]     8 threads
//   half 4   0+4  1+5  2+6  3+7                         4 of them add
//   half 2   0+2  1+3                                   2
//   half 1   0+1                                        1, and values[0] is the sum

/// How far apart the first pairs are, in a block of `threads` threads.
__device__ int first_half(int threads) {
    int half = 1;
    while (2 * half < threads) half *= 2;
    return half;
}

/// sums[b] = the sum of the elements of block b. Shapes: a is (n), sums (blocks).
__global__ void sum_kernel(const float* a, float* sums, int n) {
    __shared__ float values[kMostThreads];
    const int thread = threadIdx.x;

    const int threads = blockDim.x;
    float mine = 0;
    for (int i = blockIdx.x * threads + thread; i < n; i += gridDim.x * threads) mine += a[i];
    values[thread] = mine;
    __syncthreads();

    for (int half = first_half(threads); half > 0; half /= 2) {
        const int partner = thread + half;
        if (thread < half && partner < threads) values[thread] += values[partner];
        __syncthreads();
    }

    if (thread == 0) sums[blockIdx.x] = values[0];
}

// ---------------------------------------------------------------------------
// Host: one sum for each block, one block for everything, two levels.

void block_sums(const float* a, float* sums, int n, int threads_per_block) {
    if (n == 0) return;
    sum_kernel<<<blocks_for(n, threads_per_block), threads_per_block>>>(a, sums, n);
    CUDA_CHECK(cudaGetLastError());
}

void one_block_sum(const float* a, float* total, int n, int threads_per_block) {
    sum_kernel<<<1, threads_per_block>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
}

void sum(const float* a, float* scratch, float* total, int n) {
    block_sums(a, scratch, n, kThreads);
    one_block_sum(scratch, total, blocks_for(n, kThreads), kMostThreads);
}

// ---------------------------------------------------------------------------
// Three results at once.

/// What a single number says, and what an earlier result says.
__device__ MinMaxSum result_of(float x) {
    return {x, x, x};
}
__device__ MinMaxSum result_of(MinMaxSum earlier) {
    return earlier;
}

/// results[b] = the result for block b. T is float on the first level, MinMaxSum on the second.
template <class T>
__global__ void min_max_sum_kernel(const T* a, MinMaxSum* results, int n) {
    __shared__ MinMaxSum values[kMostThreads];
    const int thread = threadIdx.x, threads = blockDim.x;

    const auto add = [](MinMaxSum& mine, MinMaxSum other) {
        mine.min = fminf(mine.min, other.min);
        mine.max = fmaxf(mine.max, other.max);
        mine.sum += other.sum;
    };
    MinMaxSum mine = {INFINITY, -INFINITY, 0};
    for (int i = blockIdx.x * threads + thread; i < n; i += gridDim.x * threads) {
        add(mine, result_of(a[i]));
    }
    values[thread] = mine;
    __syncthreads();

    for (int half = first_half(threads); half > 0; half /= 2) {
        const int partner = thread + half;
        if (thread < half && partner < threads) add(values[thread], values[partner]);
        __syncthreads();
    }
    if (thread == 0) results[blockIdx.x] = values[0];
}

__global__ void three_kernel(const float* a, float* lows, float* highs, float* sums, int n) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    float low = i < n ? a[i] : INFINITY, high = i < n ? a[i] : -INFINITY, sum = i < n ? a[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2) {
        low = fminf(low, __shfl_xor_sync(0xffffffff, low, offset));
        high = fmaxf(high, __shfl_xor_sync(0xffffffff, high, offset));
        sum += __shfl_xor_sync(0xffffffff, sum, offset);
    }
    if (i % 32 != 0) return;
    lows[i / 32] = low;
    highs[i / 32] = high;
    sums[i / 32] = sum;
}

template <class Op>
__global__ void finish_kernel(const float* parts, float* result, int n, float start, Op op) {
    __shared__ float values[kMostThreads];
    float mine = start;
    for (int i = threadIdx.x; i < n; i += kMostThreads) mine = op(mine, parts[i]);
    values[threadIdx.x] = mine;
    for (int half = kMostThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            values[threadIdx.x] = op(values[threadIdx.x], values[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) *result = values[0];
}

struct Least {
    __device__ float operator()(float a, float b) const { return fminf(a, b); }
};
struct Greatest {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Total {
    __device__ float operator()(float a, float b) const { return a + b; }
};

void min_max_sum(const float* a, MinMaxSum*, MinMaxSum* result, int n) {
    const int blocks = blocks_for(n, kThreads), warps = blocks * kThreads / 32;
    float* parts;
    CUDA_CHECK(cudaMallocAsync(&parts, 3 * (warps + 1) * sizeof(float), nullptr));
    if (n > 0) three_kernel<<<blocks, kThreads>>>(a, parts, parts + warps, parts + 2 * warps, n);
    cudaEvent_t there;
    cudaStream_t streams[3];
    CUDA_CHECK(cudaEventCreateWithFlags(&there, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventRecord(there));
    for (cudaStream_t& stream : streams) {
        CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CUDA_CHECK(cudaStreamWaitEvent(stream, there));
    }
    finish_kernel<<<1, kMostThreads, 0, streams[0]>>>(parts, &result->min, warps, INFINITY,
                                                      Least());
    finish_kernel<<<1, kMostThreads, 0, streams[1]>>>(parts + warps, &result->max, warps, -INFINITY,
                                                      Greatest());
    finish_kernel<<<1, kMostThreads, 0, streams[2]>>>(parts + 2 * warps, &result->sum, warps, 0,
                                                      Total());
    CUDA_CHECK(cudaGetLastError());
    for (cudaStream_t stream : streams) {
        CUDA_CHECK(cudaEventRecord(there, stream));
        CUDA_CHECK(cudaStreamWaitEvent(nullptr, there));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }
    CUDA_CHECK(cudaEventDestroy(there));
    CUDA_CHECK(cudaFreeAsync(parts, nullptr));
}
