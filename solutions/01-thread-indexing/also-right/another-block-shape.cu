// Right: unfold_3d in cubes of 8 x 8 x 8 with the axes the other way round, x along i; and a device
// function for the id.

#include "thread_indexing.h"

__device__ int global_id() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void global_ids_kernel(int* ids, int n) {
    if (global_id() >= n) return;
    ids[global_id()] = global_id();
}

void global_ids(int* ids, int n, int threads_per_block) {
    if (n == 0) return;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    global_ids_kernel<<<blocks, threads_per_block>>>(ids, n);
}

__global__ void grid_stride_kernel(int* owner, int n) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = id; i < n; i += stride) owner[i] = id;
}

void grid_stride_ids(int* owner, int n, int blocks, int threads_per_block) {
    grid_stride_kernel<<<blocks, threads_per_block>>>(owner, n);
}

__global__ void __launch_bounds__(512) unfold_3d_kernel(Index3* places, int I, int J, int K) {
    const int i = blockIdx.x * 8 + threadIdx.x;
    const int j = blockIdx.y * 8 + threadIdx.y;
    const int k = blockIdx.z * 8 + threadIdx.z;
    if (i >= I || j >= J || k >= K) return;
    Index3& here = places[(i * J + j) * K + k];
    here.i = i;
    here.j = j;
    here.k = k;
}

void unfold_3d(Index3* places, int I, int J, int K) {
    if (I * J * K == 0) return;
    const dim3 blocks((I + 7) / 8, (J + 7) / 8, (K + 7) / 8);
    unfold_3d_kernel<<<blocks, dim3(8, 8, 8)>>>(places, I, J, K);
}

__global__ void who_am_i_kernel(ThreadRecord* records) {
    const int block = blockIdx.x, thread = threadIdx.x;
    records[block * blockDim.x + thread] = {block, thread, thread / 32, thread % 32};
}

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    who_am_i_kernel<<<blocks, threads_per_block>>>(records);
}
