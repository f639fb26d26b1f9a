// Right: each block has a share of consecutive elements, which its threads take in turn as float4,
// and shared memory holds values and indices in two arrays. Blocks of 128 threads, of which only
// one launch is needed: the block that comes last compares the blocks' bests.

#include "argmax.h"

#include <algorithm>
#include <cmath>

constexpr int kThreads = 128;

static __device__ bool wins(Best x, Best y) {
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value || x.value < y.value) return x.value > y.value;
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
}

__device__ unsigned arrived = 0;

static __device__ Best block_best(Best mine) {
    __shared__ float values[kThreads];
    __shared__ int indices[kThreads];
    values[threadIdx.x] = mine.value;
    indices[threadIdx.x] = mine.index;
    for (int step = 1; step < kThreads; step *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * step) == 0) {
            const Best other = {values[threadIdx.x + step], indices[threadIdx.x + step]};
            if (wins(other, mine)) mine = other;
            values[threadIdx.x] = mine.value;
            indices[threadIdx.x] = mine.index;
        }
    }
    __syncthreads();
    return mine;
}

static __global__ void argmax_kernel(const float* a, Best* partial, Best* best, int n) {
    __shared__ bool is_last;
    const int fours = (n - 1) / 4 + 1,
              share = n > 0 ? (fours - 1) / static_cast<int>(gridDim.x) + 1 : 0;
    const int begin = min(blockIdx.x * share, fours), end = min(begin + share, fours);
    Best mine = {-INFINITY, -1};
    for (int i = begin + threadIdx.x; i < end; i += kThreads) {
        float4 v = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        if (4 * i + 3 < n) {
            v = reinterpret_cast<const float4*>(a)[i];
        } else {
            v.x = a[4 * i];
            if (4 * i + 1 < n) v.y = a[4 * i + 1];
            if (4 * i + 2 < n) v.z = a[4 * i + 2];
        }
        const float values[] = {v.x, v.y, v.z, v.w};
        for (int k = 0; k < 4; ++k) {
            const Best other = {values[k], 4 * i + k};
            if (wins(other, mine)) mine = other;
        }
    }
    mine = block_best(mine);
    if (threadIdx.x == 0) {
        if (gridDim.x > 1) partial[blockIdx.x] = mine;
        __threadfence();
        is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    if (gridDim.x > 1) {
        mine = {-INFINITY, -1};
        for (int b = threadIdx.x; b < gridDim.x; b += kThreads) {
            const volatile Best& other = partial[b];
            const Best copy = {other.value, other.index};
            if (wins(copy, mine)) mine = copy;
        }
        mine = block_best(mine);
    }
    if (threadIdx.x > 0) return;
    *best = mine;
    arrived = 0;
}

void argmax_block(const float* a, Best* best, int n) {
    argmax_kernel<<<1, kThreads>>>(a, nullptr, best, n);
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    argmax_kernel<<<std::clamp(n / (4 * kThreads), 1, kMostBlocks), kThreads>>>(a, partial, best,
                                                                                n);
}

void argmax_packed(const float* a, unsigned long long*, Best* best, int n) {
    Best* partial = nullptr;
    cudaMalloc(&partial, kMostBlocks * sizeof(Best));
    argmax(a, partial, best, n);
    cudaFree(partial);
}
