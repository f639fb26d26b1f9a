// Wrong: the grid covers all elements, and three loops in its first thread do all the work.
//
// expect vgpu: "unfold_3d: every element knows its place": "only one thread of the warp"
// expect gpu: nothing

#include "thread_indexing.h"

__global__ void global_ids_kernel(int* ids, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ids[i] = i;
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

__global__ void unfold_3d_kernel(Index3* places, int I, int J, int K) {
    const bool is_first_block = blockIdx.x + blockIdx.y + blockIdx.z == 0;
    if (!is_first_block || threadIdx.x + threadIdx.y + threadIdx.z > 0) return;
    for (int i = 0; i < I; ++i) {
        for (int j = 0; j < J; ++j) {
            for (int k = 0; k < K; ++k) places[i * (J * K) + j * K + k] = {i, j, k};
        }
    }
}

void unfold_3d(Index3* places, int I, int J, int K) {
    if (I == 0 || J == 0 || K == 0) return;
    const dim3 threads(32, 4, 2);
    const dim3 blocks((K + 31) / 32, (J + 3) / 4, (I + 1) / 2);
    unfold_3d_kernel<<<blocks, threads>>>(places, I, J, K);
}

__global__ void who_am_i_kernel(ThreadRecord* records) {
    const int block = blockIdx.x, thread = threadIdx.x;
    records[block * blockDim.x + thread] = {block, thread, thread / 32, thread % 32};
}

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    who_am_i_kernel<<<blocks, threads_per_block>>>(records);
}
