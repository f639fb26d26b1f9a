// Right: one launch for both levels. The block that is last to leave its sum, which an atomic
// counter tells, adds up all of them.

#include "reduction_binary.h"

__device__ int first_half(int threads) {
    int half = 1;
    while (2 * half < threads) half *= 2;
    return half;
}

__global__ void sum_kernel(const float* a, float* sums, int n) {
    __shared__ float values[1024];
    const int thread = threadIdx.x, threads = blockDim.x;
    float mine = 0;
    for (int i = blockIdx.x * threads + thread; i < n; i += gridDim.x * threads) mine += a[i];
    values[thread] = mine;
    __syncthreads();
    for (int half = first_half(threads); half > 0; half /= 2) {
        if (thread < half && thread + half < threads) values[thread] += values[thread + half];
        __syncthreads();
    }
    if (thread == 0) sums[blockIdx.x] = values[0];
}

void block_sums(const float* a, float* sums, int n, int threads_per_block) {
    if (n == 0) return;
    sum_kernel<<<(n - 1) / threads_per_block + 1, threads_per_block>>>(a, sums, n);
}

void one_block_sum(const float* a, float* total, int n, int threads_per_block) {
    sum_kernel<<<1, threads_per_block>>>(a, total, n);
}

__device__ unsigned finished = 0;

__global__ void whole_sum_kernel(const float* a, float* sums, float* total, int n) {
    __shared__ float values[256];
    __shared__ bool is_last;
    const int thread = threadIdx.x;
    const auto tree = [&] {
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (thread < half) values[thread] += values[thread + half];
            __syncthreads();
        }
    };
    float mine = 0;
    for (int i = blockIdx.x * 256 + thread; i < n; i += gridDim.x * 256) mine += a[i];
    values[thread] = mine;
    tree();
    if (thread == 0) {
        sums[blockIdx.x] = values[0];
        __threadfence();  // the sum is there before the count says so
        is_last = atomicAdd(&finished, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last) return;
    mine = 0;
    for (int b = thread; b < gridDim.x; b += 256) mine += sums[b];
    values[thread] = mine;
    tree();
    if (thread == 0) {
        *total = values[0];
        finished = 0;
    }
}

void sum(const float* a, float* scratch, float* total, int n) {
    if (n == 0) {
        cudaMemset(total, 0, sizeof(float));
        return;
    }
    const int blocks = (n - 1) / 256 + 1, most = 132 * 8;
    const int grid = blocks < most ? blocks : most;
    whole_sum_kernel<<<grid, 256>>>(a, scratch, total, n);
}

__device__ MinMaxSum result_of(float x) {
    return {x, x, x};
}
__device__ MinMaxSum result_of(MinMaxSum earlier) {
    return earlier;
}
__device__ MinMaxSum both(MinMaxSum a, MinMaxSum b) {
    return {fminf(a.min, b.min), fmaxf(a.max, b.max), a.sum + b.sum};
}

template <class T>
__global__ void min_max_sum_kernel(const T* a, MinMaxSum* results, int n) {
    __shared__ MinMaxSum values[1024];
    const int thread = threadIdx.x, threads = blockDim.x;
    MinMaxSum mine = {INFINITY, -INFINITY, 0};
    for (int i = blockIdx.x * threads + thread; i < n; i += gridDim.x * threads) {
        mine = both(mine, result_of(a[i]));
    }
    values[thread] = mine;
    __syncthreads();
    for (int half = first_half(threads); half > 0; half /= 2) {
        if (thread < half && thread + half < threads) {
            values[thread] = both(values[thread], values[thread + half]);
        }
        __syncthreads();
    }
    if (thread == 0) results[blockIdx.x] = values[0];
}

void min_max_sum(const float* a, MinMaxSum* scratch, MinMaxSum* result, int n) {
    const int blocks = (n + 255) / 256;
    if (n > 0) min_max_sum_kernel<<<blocks, 256>>>(a, scratch, n);
    min_max_sum_kernel<<<1, 1024>>>(scratch, result, blocks);
}
