// Lab 06, baseline: right, and slow. One block adds up everything, so one multiprocessor of the GPU
// works and the others wait.

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

__global__ void min_max_sum_kernel(const float* a, MinMaxSum* result, int n) {
    __shared__ MinMaxSum values[1024];
    const int thread = threadIdx.x, threads = blockDim.x;
    MinMaxSum mine = {INFINITY, -INFINITY, 0};
    for (int i = thread; i < n; i += threads) {
        mine = {fminf(mine.min, a[i]), fmaxf(mine.max, a[i]), mine.sum + a[i]};
    }
    values[thread] = mine;
    __syncthreads();
    for (int half = first_half(threads); half > 0; half /= 2) {
        if (thread < half && thread + half < threads) {
            const MinMaxSum other = values[thread + half];
            mine = {fminf(mine.min, other.min), fmaxf(mine.max, other.max), mine.sum + other.sum};
            values[thread] = mine;
        }
        __syncthreads();
    }
    if (thread == 0) *result = values[0];
}

void block_sums(const float* a, float* sums, int n, int threads_per_block) {
    const int blocks = n / threads_per_block + (n % threads_per_block != 0);
    if (n > 0) sum_kernel<<<blocks, threads_per_block>>>(a, sums, n);
}

void one_block_sum(const float* a, float* total, int n, int threads_per_block) {
    sum_kernel<<<1, threads_per_block>>>(a, total, n);
}

void sum(const float* a, float*, float* total, int n) {
    sum_kernel<<<1, 1024>>>(a, total, n);
}

void min_max_sum(const float* a, MinMaxSum*, MinMaxSum* result, int n) {
    min_max_sum_kernel<<<1, 1024>>>(a, result, n);
}
