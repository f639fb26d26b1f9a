// Right: cooperative groups reduce a warp, with an operator of ours, and know each thread's rank.

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

static __device__ Best element(const float* a, int i) {
    return {a[i], i};
}
static __device__ Best element(const Best* partial, int i) {
    return partial[i];
}

template <class T>
__global__ void argmax_kernel(const T* a, Best* bests, int n) {
    const auto grid = cg::this_grid();
    Best mine = {-INFINITY, -1};
    for (long long i = grid.thread_rank(); i < n; i += grid.num_threads()) {
        mine = Better()(element(a, static_cast<int>(i)), mine);
    }
    mine = block_best(mine);
    if (threadIdx.x == 0) bests[blockIdx.x] = mine;
}

void argmax_block(const float* a, Best* best, int n) {
    argmax_kernel<<<1, kThreads>>>(a, best, n);
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    const int blocks = std::clamp(n / kThreads, 1, kMostBlocks);
    argmax_kernel<<<blocks, kThreads>>>(a, partial, n);
    argmax_kernel<<<1, 4 * kThreads>>>(partial, best, blocks);
}

void argmax_packed(const float* a, unsigned long long*, Best* best, int n) {
    static Best* partial = nullptr;
    if (partial == nullptr) cudaMalloc(&partial, kMostBlocks * sizeof(Best));
    argmax(a, partial, best, n);
}
