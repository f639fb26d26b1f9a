// Right: asks cooperative groups who it is, and how large the grid is.

#include "thread_indexing.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void global_ids_kernel(int* ids, int n) {
    const auto i = cg::this_grid().thread_rank();
    if (i < n) ids[i] = static_cast<int>(i);
}

void global_ids(int* ids, int n, int threads_per_block) {
    if (n == 0) return;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    global_ids_kernel<<<blocks, threads_per_block>>>(ids, n);
}

__global__ void grid_stride_kernel(int* owner, int n) {
    const auto grid = cg::this_grid();
    const auto id = grid.thread_rank();
    for (auto i = id; i < n; i += grid.size()) owner[i] = static_cast<int>(id);
}

void grid_stride_ids(int* owner, int n, int blocks, int threads_per_block) {
    grid_stride_kernel<<<blocks, threads_per_block>>>(owner, n);
}

__global__ void unfold_3d_kernel(Index3* places, int I, int J, int K) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < I && j < J && k < K) places[i * (J * K) + j * K + k] = {i, j, k};
}

void unfold_3d(Index3* places, int I, int J, int K) {
    if (I == 0 || J == 0 || K == 0) return;
    const dim3 threads(32, 4, 2);
    const dim3 blocks((K + 31) / 32, (J + 3) / 4, (I + 1) / 2);
    unfold_3d_kernel<<<blocks, threads>>>(places, I, J, K);
}

__global__ void who_am_i_kernel(ThreadRecord* records) {
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    records[cg::this_grid().thread_rank()] = {
        static_cast<int>(block.group_index().x), static_cast<int>(block.thread_rank()),
        static_cast<int>(warp.meta_group_rank()), static_cast<int>(warp.thread_rank())};
}

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    who_am_i_kernel<<<blocks, threads_per_block>>>(records);
}
