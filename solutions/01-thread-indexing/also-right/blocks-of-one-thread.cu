// Right: blocks of one thread, a block for each element in three dimensions. Slow, and still a
// thread for each element.

#include "thread_indexing.h"

// ---------------------------------------------------------------------------
// Task 1: one thread per element. Shape: ids is (n). With blocks of B threads:
//
//     block 0         block 1              last block
//   [0 1 ... B-1] [B B+1 ... 2B-1] ... [... n-1 | threads with no element]

__global__ void global_ids_kernel(int* ids, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        ids[i] = i;
    }
}

void global_ids(int* ids, int n, int threads_per_block) {
    if (n == 0) return;
    const int blocks = (n - 1) / threads_per_block + 1;  // rounds up

    global_ids_kernel<<<blocks, threads_per_block>>>(ids, n);
}

// ---------------------------------------------------------------------------
// Task 2: a grid of a given size, whatever n is. Shape: owner is (n). With a
// grid of T threads, thread 1 handles the elements marked #:
//
//   [0 # 2 ... T-1] [T # T+2 ... 2T-1] [2T # ... n-1]
//
// The launch is given: this grid is exactly what the contract asks for.

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

// ---------------------------------------------------------------------------
// Task 3: three dimensions, flattened. Shape: places is (I, J, K), row-major.

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
    unfold_3d_kernel<<<dim3(K, J, I), 1>>>(places, I, J, K);
}

// ---------------------------------------------------------------------------
// Task 4: who am I? Shape: records is (blocks * threads_per_block). In a block
// of 70 threads:
//
//   thread   0 ... 31   32 ... 63   64 ... 69
//   warp         0           1           2
//   lane     0 ... 31    0 ... 31    0 ...  5

__global__ void who_am_i_kernel(ThreadRecord* records) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int block = blockIdx.x;
    const int thread = threadIdx.x;
    records[id] = {block, thread, thread / warpSize, thread % warpSize};
}

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    who_am_i_kernel<<<blocks, threads_per_block>>>(records);
}
