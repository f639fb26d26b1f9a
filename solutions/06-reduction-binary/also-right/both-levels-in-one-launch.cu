// Right: both levels of min_max_sum in one cooperative launch, whose blocks wait for each other in
// between. While they wait they ask a flag again and again, which is no second reading of `a`.

#include "reduction_binary.h"

#include <cooperative_groups.h>

#include <algorithm>

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
    const T result = values[0];
    __syncthreads();  // before the next tree
    return result;
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

__global__ void both_levels_kernel(const float* a, MinMaxSum* results, MinMaxSum* result, int n) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    MinMaxSum mine = nothing();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) add(mine, {a[i], a[i], a[i]});
    mine = block_tree(mine);
    const bool is_alone = gridDim.x == 1;
    if (threadIdx.x == 0) (is_alone ? *result : results[blockIdx.x]) = mine;
    grid.sync();
    if (is_alone || blockIdx.x > 0) return;
    mine = nothing();
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) add(mine, results[i]);
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
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int blocks = std::clamp(blocks_for(n, 2 * kThreads), 1, multiprocessors);
    void* arguments[] = {&a, &scratch, &result, &n};
    cudaLaunchCooperativeKernel(both_levels_kernel, blocks, 2 * kThreads, arguments);
}
