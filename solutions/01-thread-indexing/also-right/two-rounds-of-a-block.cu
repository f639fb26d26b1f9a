// Right: in global_ids a block goes through two runs of as many ids as it has threads.

#include "thread_indexing.h"

__global__ void global_ids_kernel(int* ids, int n) {
    const int first = 2 * blockIdx.x * blockDim.x + threadIdx.x;
    const int second = first + blockDim.x;
    if (first < n) ids[first] = first;
    if (second < n) ids[second] = second;
}

void global_ids(int* ids, int n, int threads_per_block) {
    if (n == 0) return;
    const int blocks = (n - 1) / (2 * threads_per_block) + 1;
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
    const int block = blockIdx.x, thread = threadIdx.x;
    reinterpret_cast<int4*>(records)[block * blockDim.x + thread] =
        make_int4(block, thread, thread / 32, thread % 32);
}

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    who_am_i_kernel<<<blocks, threads_per_block>>>(records);
}
