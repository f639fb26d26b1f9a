// Right: cooperative groups reduce a warp with an operator of ours, and one cooperative launch has
// both levels, with a barrier of the whole grid between them.

#include "argmax.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <cmath>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;

static __device__ bool wins(Best x, Best y) {
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value || x.value < y.value) return x.value > y.value;
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
}

struct Better {
    __device__ Best operator()(const Best& x, const Best& y) const { return wins(x, y) ? x : y; }
};

/// For thread 0.
static __device__ Best block_best(Best mine) {
    __shared__ Best of_warps[32];
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    mine = cg::reduce(warp, mine, Better());
    block.sync();
    if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = mine;
    block.sync();
    const bool has_warp = warp.thread_rank() < warp.meta_group_size();
    return cg::reduce(warp, has_warp ? of_warps[warp.thread_rank()] : Best{-INFINITY, -1},
                      Better());
}

static __global__ void argmax_kernel(const float* a, Best* partial, Best* best, int n) {
    const auto grid = cg::this_grid();
    Best mine = {-INFINITY, -1};
    for (long long i = grid.thread_rank(); i < n; i += grid.num_threads()) {
        mine = Better()({a[i], static_cast<int>(i)}, mine);
    }
    mine = block_best(mine);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) partial[blockIdx.x] = mine;
        grid.sync();
        if (blockIdx.x > 0) return;
        mine = {-INFINITY, -1};
        for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) mine = Better()(partial[b], mine);
        mine = block_best(mine);
    }
    if (threadIdx.x == 0) *best = mine;
}

static void launch(const float* a, Best* partial, Best* best, int n, int blocks) {
    void* arguments[] = {&a, &partial, &best, &n};
    cudaLaunchCooperativeKernel(argmax_kernel, dim3(blocks), dim3(kThreads), arguments);
}

void argmax_block(const float* a, Best* best, int n) {
    launch(a, nullptr, best, n, 1);
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    int device = 0, multiprocessors = 0, blocks = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, argmax_kernel, kThreads, 0);
    launch(a, partial, best, n,
           std::min({multiprocessors * blocks, n / kThreads + 1, kMostBlocks}));
}

void argmax_packed(const float* a, unsigned long long*, Best* best, int n) {
    static Best* partial = nullptr;
    if (partial == nullptr) cudaMalloc(&partial, kMostBlocks * sizeof(Best));
    argmax(a, partial, best, n);
}
