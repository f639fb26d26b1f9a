// Right: one kernel template for all four functions: what a thread does is a functor.

#include "thread_indexing.h"

struct Here {
    int id, threads;
};

template <class Work>
__global__ void run_kernel(Work work) {
    work(Here{static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              static_cast<int>(gridDim.x * blockDim.x)});
}

struct WriteId {
    int *ids, n;
    __device__ void operator()(Here here) const {
        if (here.id < n) ids[here.id] = here.id;
    }
};

void global_ids(int* ids, int n, int threads_per_block) {
    if (n == 0) return;
    const int blocks = (n + threads_per_block - 1) / threads_per_block;
    run_kernel<<<blocks, threads_per_block>>>(WriteId{ids, n});
}

struct Own {
    int *owner, n;
    __device__ void operator()(Here here) const {
        for (int i = here.id; i < n; i += here.threads) owner[i] = here.id;
    }
};

void grid_stride_ids(int* owner, int n, int blocks, int threads_per_block) {
    run_kernel<<<blocks, threads_per_block>>>(Own{owner, n});
}

struct Unfold {
    Index3* places;
    int I, J, K;
    __device__ void operator()(Here here) const {
        if (here.id < I * J * K) {
            places[here.id] = {here.id / (J * K), here.id / K % J, here.id % K};
        }
    }
};

void unfold_3d(Index3* places, int I, int J, int K) {
    const int count = I * J * K;
    if (count > 0) run_kernel<<<(count + 127) / 128, 128>>>(Unfold{places, I, J, K});
}

struct Describe {
    ThreadRecord* records;
    __device__ void operator()(Here here) const {
        const int thread = threadIdx.x;
        records[here.id] = {here.id / static_cast<int>(blockDim.x), thread, thread / warpSize,
                            thread % warpSize};
    }
};

void who_am_i(ThreadRecord* records, int blocks, int threads_per_block) {
    run_kernel<<<blocks, threads_per_block>>>(Describe{records});
}
