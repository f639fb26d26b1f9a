// Wrong: one pass, in which each tile waits for the sum of the tile before it alone, and the number
// of a tile is that of its block. CUDA does not promise that a lower block has begun. GPUs keep to
// it all the same, so there this works; on the virtual GPU so many blocks wait for each other, one
// by one, that it reaches its limit of instructions.
//
// expect vgpu: "compact_stable: the kept elements, in order": "compact_stable(n = 4200003)"
// expect gpu: nothing

#include "stream_compaction.h"

void compact_any(const float*, float*, int*, int) {}

void append(const int*, Entry*, int*, int*, int, int) {}

constexpr int kThreads = 256;
constexpr int kEach = kTile / kThreads;

/// offsets[t] = 1 + the number of elements that the tiles up to t keep, once that is known.
static __global__ void stable_kernel(const float* a, int* offsets, float* kept, int* count, int n) {
    __shared__ int in_warps[kThreads / 32], begin;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int first = blockIdx.x * kTile + warp * (32 * kEach) + lane;
    float x[kEach];
    int place[kEach], in_warp = 0;
    for (int k = 0; k < kEach; ++k) {
        x[k] = first + k * 32 < n ? a[first + k * 32] : -1;
        const unsigned lanes = __ballot_sync(0xffffffff, x[k] > 0);
        place[k] = in_warp + __popc(lanes & ((1u << lane) - 1));
        in_warp += __popc(lanes);
    }
    if (lane == 0) in_warps[warp] = in_warp;
    __syncthreads();
    int before = 0, in_tile = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w < warp) before += in_warps[w];
        in_tile += in_warps[w];
    }
    if (threadIdx.x == 0) {
        int sum = 1;
        if (blockIdx.x > 0) {
            do {
                sum = atomicAdd(&offsets[blockIdx.x - 1], 0);
            } while (sum == 0);
        }
        begin = sum - 1;
        atomicExch(&offsets[blockIdx.x], sum + in_tile);
        if (blockIdx.x == gridDim.x - 1) *count = begin + in_tile;
    }
    __syncthreads();
    for (int k = 0; k < kEach; ++k) {
        if (x[k] > 0) kept[begin + before + place[k]] = x[k];
    }
}

void compact_stable(const float* a, int* offsets, float* kept, int* count, int n) {
    const int tiles = (n + kTile - 1) / kTile;
    cudaMemsetAsync(offsets, 0, (tiles + 1) * sizeof(int));
    cudaMemsetAsync(count, 0, sizeof(int));
    if (n > 0) stable_kernel<<<tiles, kThreads>>>(a, offsets, kept, count, n);
}
