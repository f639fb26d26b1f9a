// Right: a grid that just fills the GPU; each thread adds up many elements before the tree.

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

void sum(const float* a, float* scratch, float* total, int n) {
    block_sums(a, scratch, n, 256);
    one_block_sum(scratch, total, (n + 255) / 256, 1024);
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
