// Right: min_max_sum's threads take two neighbouring elements each, one after the other. Two loads
// ask for the same sectors, and each element is read once.

#include "reduction_binary.h"

namespace {

constexpr int kMostThreads = 1024, kThreads = 256;

int blocks_for(int n, int threads) {
    return n / threads + (n % threads != 0);
}

__device__ void add(float& mine, float other) {
    mine += other;
}

__device__ void add(MinMaxSum& mine, MinMaxSum other) {
    mine.min = fminf(mine.min, other.min);
    mine.max = fmaxf(mine.max, other.max);
    mine.sum += other.sum;
}

/// The result of the block, in its thread 0.
template <class T>
__device__ T block_tree(T mine) {
    __shared__ T values[kMostThreads];
    const int thread = threadIdx.x, threads = blockDim.x;
    values[thread] = mine;
    __syncthreads();
    for (int half = 1 << (31 - __clz(threads)); half > 0; half /= 2) {
        if (thread < half && thread + half < threads) add(values[thread], values[thread + half]);
        __syncthreads();
    }
    return values[0];
}

__global__ void sum_kernel(const float* a, float* sums, int n) {
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += a[i];
    }
    const float sum = block_tree(mine);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__device__ MinMaxSum nothing() {
    return {INFINITY, -INFINITY, 0};
}

__global__ void of_pairs_kernel(const float* a, MinMaxSum* results, int n) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    MinMaxSum mine = nothing();
    if (i < n) add(mine, {a[i], a[i], a[i]});
    if (i + 1 < n) add(mine, {a[i + 1], a[i + 1], a[i + 1]});
    mine = block_tree(mine);
    if (threadIdx.x == 0) results[blockIdx.x] = mine;
}

__global__ void of_results_kernel(const MinMaxSum* results, MinMaxSum* result, int count) {
    MinMaxSum mine = nothing();
    for (int i = threadIdx.x; i < count; i += blockDim.x) add(mine, results[i]);
    mine = block_tree(mine);
    if (threadIdx.x == 0) *result = mine;
}

}  // namespace

void block_sums(const float* a, float* sums, int n, int threads_per_block) {
    if (n == 0) return;
    sum_kernel<<<blocks_for(n, threads_per_block), threads_per_block>>>(a, sums, n);
}

void one_block_sum(const float* a, float* total, int n, int threads_per_block) {
    sum_kernel<<<1, threads_per_block>>>(a, total, n);
}

void sum(const float* a, float* scratch, float* total, int n) {
    block_sums(a, scratch, n, kThreads);
    one_block_sum(scratch, total, blocks_for(n, kThreads), kMostThreads);
}

void min_max_sum(const float* a, MinMaxSum* scratch, MinMaxSum* result, int n) {
    const int blocks = blocks_for(n, 2 * kThreads);
    if (n > 0) of_pairs_kernel<<<blocks, kThreads>>>(a, scratch, n);
    of_results_kernel<<<1, kThreads>>>(scratch, result, blocks);
}
