// Lab 01: Thread indexing. Let every thread find out who it is, and which element is its own.
//
//   Handout   labs/01-thread-indexing/README.md
//   Check     ./lab grade 01
//   Stuck     ./lab hint 01

#include "thread_indexing.h"

// ---------------------------------------------------------------------------
// Task 1: one thread per element. Shape: ids is (n). With blocks of B threads:
//
//     block 0         block 1              last block
//   [0 1 ... B-1] [B B+1 ... 2B-1] ... [... n-1 | threads with no element]

__global__ void global_ids_kernel(int* ids, int n) {
    // TODO(1/4): Compute this thread's id in the whole grid, and store it in
    //            ids at that index, but only if the element exists.
    //            About 4 lines. Handout: "One thread, one element".
    // BEGIN SOLUTION
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        ids[i] = i;
    }
    // END SOLUTION
}

void global_ids(int* ids, int n, int threads_per_block) {
    // TODO(1/4), second half: Launch enough blocks for all n elements, and none
    //            at all when n is 0. About 2 lines.
    // BEGIN SOLUTION
    // SKELETON const int blocks = 1;
    if (n == 0) return;
    const int blocks = (n - 1) / threads_per_block + 1;  // rounds up
    // END SOLUTION

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
    // TODO(2/4): Visit this thread's elements, from its id on in strides of
    //            the whole grid, and store the id in owner at each of them.
    //            About 5 lines. Handout: "A grid that is too small".
    // BEGIN SOLUTION
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = id; i < n; i += stride) {
        owner[i] = id;
    }
    // END SOLUTION
}

void grid_stride_ids(int* owner, int n, int blocks, int threads_per_block) {
    grid_stride_kernel<<<blocks, threads_per_block>>>(owner, n);
}

// ---------------------------------------------------------------------------
// Task 3: three dimensions, flattened. Shape: places is (I, J, K), row-major.
// x runs along k, y along j, z along i, so that neighbouring threads write
// neighbouring memory.

__global__ void unfold_3d_kernel(Index3* places, int I, int J, int K) {
    // TODO(3/4): Compute this thread's i, j and k from the z, y and x parts of
    //            the built-in variables. If that element exists, store
    //            {i, j, k} in places at its place in memory.
    //            About 6 lines. Handout: "Three dimensions in a row".
    // BEGIN SOLUTION
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < I && j < J && k < K) {
        places[i * (J * K) + j * K + k] = {i, j, k};
    }
    // END SOLUTION
}

void unfold_3d(Index3* places, int I, int J, int K) {
    if (I == 0 || J == 0 || K == 0) return;
    const dim3 threads(32, 4, 2);  // a block: 32 along k, 4 along j, 2 along i
    const dim3 blocks((K + threads.x - 1) / threads.x, (J + threads.y - 1) / threads.y,
                      (I + threads.z - 1) / threads.z);
    unfold_3d_kernel<<<blocks, threads>>>(places, I, J, K);
}

// ---------------------------------------------------------------------------
// Task 4: who am I? Shape: records is (blocks * threads_per_block). In a block
// of 70 threads:
//
//   thread   0 ... 31   32 ... 63   64 ... 69
//   warp         0           1           2
//   lane     0 ... 31    0 ... 31    0 ...  5

__global__ void who_am_i_kernel(ThreadRecord* records) {
    // TODO(4/4): Fill the record at this thread's global id with its block,
    //            thread, warp and lane. About 5 lines. Handout: "Warps".
    // BEGIN SOLUTION
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const int block = blockIdx.x;
    const int thread = threadIdx.x;
    records[id] = {block, thread, thread / warpSize, thread % warpSize};
    // END SOLUTION
}

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    who_am_i_kernel<<<blocks, threads_per_block>>>(records);
}
