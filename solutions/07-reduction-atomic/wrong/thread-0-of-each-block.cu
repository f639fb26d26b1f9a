// Wrong: a condition from a kernel with a tree is left over: only thread 0 of each block adds.
//
// expect vgpu: "sum_of_ints: one line, and exact": "Only the first value of each block is in the result"
// expect gpu: "sum_of_ints: one line, and exact": "of total is wrong"

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

constexpr int kThreads = 256;

int blocks_for(int n) {
    return n > 0 ? (n - 1) / kThreads + 1 : 1;
}

template <class T>
__global__ void set_kernel(T* place, T value) {
    *place = value;
}

template <class T>
__global__ void sum_kernel(const T* a, T* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && threadIdx.x == 0) atomicAdd(total, a[i]);
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

__device__ void atomic_max(float* place, float x) {
    int* const bits = reinterpret_cast<int*>(place);
    int seen = *bits;
    while (x > __int_as_float(seen)) {
        const int there = atomicCAS(bits, seen, __float_as_int(x));
        if (there == seen) return;
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

constexpr int kMostBins = 1024;
static_assert(kMostBins * sizeof(int) <= 48 * 1024, "more than a block's shared memory");
constexpr int kMostBlocks = 264;

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
