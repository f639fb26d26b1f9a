// Right: asks cooperative groups for everything: who it is, the barrier, and the sum of a tile of
// 32 threads.

#include "reduction_hybrid.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <algorithm>

namespace cg = cooperative_groups;

__device__ float tile_sum(const cg::thread_block& block, float value) {
    return cg::reduce(cg::tiled_partition<32>(block), value, cg::plus<float>());
}

__global__ void sum_hybrid_kernel(const float* a, float* sum, int n) {
    __shared__ float partial[32];
    const auto grid = cg::this_grid();
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    const unsigned long long i = grid.thread_rank();
    const float value = tile_sum(block, i < n ? a[i] : 0.0F);
    if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = value;
    block.sync();
    if (tile.meta_group_rank() != 0) return;
    const unsigned lane = tile.thread_rank();
    const float total =
        cg::reduce(tile, lane < tile.meta_group_size() ? partial[lane] : 0.0F, cg::plus<float>());
    if (lane == 0) atomicAdd(sum, total);
}

void sum_hybrid(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    sum_hybrid_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sum, n);
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const auto block = cg::this_thread_block();
    const unsigned long long i = cg::this_grid().thread_rank();
    const float total = tile_sum(block, i < n ? a[i] : 0.0F);
    if (i % 32 == 0 && i < n) sums[i / 32] = total;
}

void sum_warps(const float* a, float* sums, int n) {
    if (n == 0) return;
    sum_warps_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sums, n);
}

__global__ void sum_fast_kernel(const float* a, float* sum, int n) {
    __shared__ float partial[32];
    const auto grid = cg::this_grid();
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    float value = 0.0F;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) value += a[i];
    value = tile_sum(block, value);
    if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = value;
    block.sync();
    if (tile.meta_group_rank() != 0) return;
    const unsigned lane = tile.thread_rank();
    const float total =
        cg::reduce(tile, lane < tile.meta_group_size() ? partial[lane] : 0.0F, cg::plus<float>());
    if (lane == 0) atomicAdd(sum, total);
}

void sum_fast(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int blocks = std::min((n - 1) / 256 + 1, multiprocessors * 8);
    sum_fast_kernel<<<blocks, 256>>>(a, sum, n);
}
