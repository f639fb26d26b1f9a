// Wrong: computed on the host. A kernel that does nothing is launched for the looks.
//
// expect vgpu: "sum: any number of elements": "too little to have looked at all"
// expect flag: host_result
// expect gpu: "sum: at least 0.13x the reference": "too slow"

#include "reduction_binary.h"

#include <vector>

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

__global__ void does_nothing_kernel() {}

void sum(const float* a, float*, float* total, int n) {
    std::vector<float> values(n);
    cudaMemcpy(values.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
    double all = 0;
    for (const float value : values) all += value;
    const float rounded = all;
    cudaMemcpy(total, &rounded, sizeof(float), cudaMemcpyHostToDevice);
    does_nothing_kernel<<<1, 32>>>();
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
