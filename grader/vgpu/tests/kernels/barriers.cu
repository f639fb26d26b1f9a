// cuda::barrier, cuda::pipeline and copies that they wait for.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#define KERNEL extern "C" __global__ void

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// The block turns its values round, step after step; without waiting for the readers, threads
// overwrite what is still to be read.
template <bool waits>
__device__ void turn(int* values, int steps) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier barrier;
    __shared__ int held[256];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int mine = values[threadIdx.x];
    for (int i = 0; i < steps; ++i) {
        held[threadIdx.x] = mine;
        auto token = barrier.arrive();
        barrier.wait(std::move(token));
        mine = held[(threadIdx.x + 1) % blockDim.x];
        if (waits) barrier.arrive_and_wait();
    }
    values[threadIdx.x] = mine;
}
KERNEL turn_round(int* values, int steps) {
    turn<true>(values, steps);
}
KERNEL turn_too_early(int* values, int steps) {
    turn<false>(values, steps);
}

// A thread less in each round: those that drop out are not waited for.
KERNEL fewer_and_fewer(int* rounds) {
    __shared__ Barrier barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    for (int i = 0; i < blockDim.x; ++i) {
        rounds[threadIdx.x] = i + 1;
        if (i == threadIdx.x) {
            barrier.arrive_and_drop();
            return;
        }
        barrier.arrive_and_wait();
    }
}

// One warp never arrives.
KERNEL one_missing(int* out) {
    __shared__ Barrier barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32) return;
    barrier.arrive_and_wait();
    out[threadIdx.x] = 1;
}

// Tiles come by asynchronous copies, two on their way at a time.
KERNEL sum_of_tiles(const int* in, int* out, int tiles) {
    constexpr int kStages = 2, kTile = 128;
    __shared__ int buffer[kStages][kTile];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    const auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int tile = 0, next = 0; tile < tiles; ++tile) {
        for (; next < tiles && next < tile + kStages; ++next) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, buffer[next % kStages], in + next * kTile,
                               sizeof(int) * kTile, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += buffer[tile % kStages][kTile - 1 - threadIdx.x];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// A copy that a barrier waits for.
KERNEL copy_with_barrier(const int* in, int* out) {
    __shared__ Barrier barrier;
    __shared__ int buffer[256];
    const auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    cuda::memcpy_async(block, buffer, in, sizeof(int) * block.size(), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
