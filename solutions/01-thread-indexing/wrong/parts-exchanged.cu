// Wrong: the parts of the index exchanged: threadIdx.x * blockDim.x + blockIdx.x.
//
// expect vgpu: "global_ids: any n and any block size": "are swapped"
// expect gpu: "global_ids: any n and any block size": "of ids are wrong"

#include "thread_indexing.h"

__global__ void global_ids_kernel(int* ids, int n) {
    const int i = threadIdx.x * blockDim.x + blockIdx.x;
    if (i < n) {
        ids[i] = i;
    }
}

void global_ids(int* ids, int n, int threads_per_block) {
    if (n == 0) return;
    const int blocks = (n - 1) / threads_per_block + 1;  // rounds up

    global_ids_kernel<<<blocks, threads_per_block>>>(ids, n);
}

__global__ void grid_stride_kernel(int* owner, int n) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = id; i < n; i += stride) {
        owner[i] = id;
    }
}

void grid_stride_ids(int* owner, int n, int blocks, int threads_per_block) {
    grid_stride_kernel<<<blocks, threads_per_block>>>(owner, n);
}

__global__ void unfold_3d_kernel(Index3* places, int I, int J, int K) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < I && j < J && k < K) {
        places[i * (J * K) + j * K + k] = {i, j, k};
    }
}

void unfold_3d(Index3* places, int I, int J, int K) {
    if (I == 0 || J == 0 || K == 0) return;
    const dim3 threads(32, 4, 2);  // a block: 32 along k, 4 along j, 2 along i
    const dim3 blocks((K + threads.x - 1) / threads.x, (J + threads.y - 1) / threads.y,
                      (I + threads.z - 1) / threads.z);
    unfold_3d_kernel<<<blocks, threads>>>(places, I, J, K);
}

__global__ void who_am_i_kernel(ThreadRecord* records) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int block = blockIdx.x;
    const int thread = threadIdx.x;
    records[id] = {block, thread, thread / warpSize, thread % warpSize};
}

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    who_am_i_kernel<<<blocks, threads_per_block>>>(records);
}
