// Right: a warp first finds its largest value, then asks by a ballot which lanes have it. One such
// lane broadcasts its index. With several, the smallest index must be found: it need not be that of
// the lowest lane, as each thread has looked at many elements.

#include "argmax.h"

#include <algorithm>
#include <climits>
#include <cmath>

constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

static __device__ bool wins(Best x, Best y) {
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value || x.value < y.value) return x.value > y.value;
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
}

static __device__ float larger(float x, float y) {
    return isnan(x) || x > y ? x : y;
}

/// For all lanes.
static __device__ Best warp_best(Best mine) {
    float largest = mine.value;
    for (int distance = 16; distance > 0; distance /= 2) {
        largest = larger(largest, __shfl_xor_sync(kAll, largest, distance));
    }
    const bool has_it = mine.value == largest || (isnan(mine.value) && isnan(largest));
    unsigned lanes = __ballot_sync(kAll, has_it);
    int index = __shfl_sync(kAll, mine.index, __ffs(lanes) - 1);
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
        const int other = __shfl_sync(kAll, mine.index, __ffs(lanes) - 1);
        if (static_cast<unsigned>(other) < static_cast<unsigned>(index)) index = other;
    }
    return {largest, index};
}

template <int kBlock>
__device__ Best block_best(Best mine) {
    __shared__ Best of_warps[kBlock / 32];
    mine = warp_best(mine);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    const bool has_warp = threadIdx.x < kBlock / 32;
    return warp_best(has_warp ? of_warps[threadIdx.x] : Best{-INFINITY, -1});
}

template <int kBlock>
__global__ void argmax_kernel(const float* a, Best* bests, int n) {
    Best mine = {-INFINITY, -1};
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) {
        const Best other = {a[i], i};
        if (wins(other, mine)) mine = other;
    }
    mine = block_best<kBlock>(mine);
    if (threadIdx.x == 0) bests[blockIdx.x] = mine;
}

template <int kBlock>
__global__ void combine_kernel(const Best* partial, Best* best, int count) {
    Best mine = {-INFINITY, -1};
    for (int b = threadIdx.x; b < count; b += kBlock) {
        if (wins(partial[b], mine)) mine = partial[b];
    }
    mine = block_best<kBlock>(mine);
    if (threadIdx.x == 0) *best = mine;
}

void argmax_block(const float* a, Best* best, int n) {
    argmax_kernel<kThreads><<<1, kThreads>>>(a, best, n);
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    const int blocks = std::clamp((n - 1) / kThreads + 1, 1, 1056);
    argmax_kernel<kThreads><<<blocks, kThreads>>>(a, partial, n);
    combine_kernel<1024><<<1, 1024>>>(partial, best, blocks);
}

void argmax_packed(const float* a, unsigned long long*, Best* best, int n) {
    static Best* partial = nullptr;
    if (partial == nullptr) cudaMallocAsync(&partial, kMostBlocks * sizeof(Best), nullptr);
    argmax(a, partial, best, n);
}
