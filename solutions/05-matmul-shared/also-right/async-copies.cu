// Right: tiles copied asynchronously from global to shared memory, past the registers, the next
// ones while the present ones are multiplied.

#include <cuda_pipeline.h>

#include "matmul_shared.h"

/// Begins to copy element (row, col) of x to `to`; 0 if there is no such element.
__device__ void copy_element(float* to, const float* x, int row, int col, int rows, int cols) {
    const bool inside = row < rows && col < cols;
    // The last argument is how many of the 4 bytes are zeros instead.
    __pipeline_memcpy_async(to, inside ? x + row * cols + col : x, 4, inside ? 0 : 4);
}

/// kTile x kTile elements of c a block; a thread takes kEach x kEach of them.
/// Two blocks of 1024 threads share a multiprocessor only with at most 32 registers a thread.
template <int kTile, int kDepth, int kEach>
__global__ void __launch_bounds__(kTile* kTile / kEach / kEach, 2)
    matmul_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    constexpr int kSide = kTile / kEach;
    __shared__ float a_tiles[2][kTile][kDepth], b_tiles[2][kDepth][kTile];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * kSide + x;
    const int tile_row = blockIdx.y * kTile, tile_col = blockIdx.x * kTile;
    const auto begin_tile = [&](int buffer, int first) {
        for (int i = thread; i < kTile * kDepth; i += kSide * kSide) {
            const int a_row = i / kDepth, a_col = i % kDepth, b_row = i / kTile, b_col = i % kTile;
            copy_element(&a_tiles[buffer][a_row][a_col], a, tile_row + a_row, first + a_col, m, k);
            copy_element(&b_tiles[buffer][b_row][b_col], b, first + b_row, tile_col + b_col, k, n);
        }
        __pipeline_commit();
    };

    float sum[kEach][kEach] = {};
    int buffer = 0;
    if (k > 0) begin_tile(0, 0);  // without elements there is no address to copy from
    for (int first = 0; first < k; first += kDepth, buffer = 1 - buffer) {
        __pipeline_wait_prior(0);
        __syncthreads();  // this tile has come, and nobody reads the other buffer any more
        if (first + kDepth < k) begin_tile(1 - buffer, first + kDepth);
#pragma unroll
        for (int i = 0; i < kDepth; ++i) {
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
#pragma unroll
                for (int s = 0; s < kEach; ++s) {
                    sum[r][s] +=
                        a_tiles[buffer][y + r * kSide][i] * b_tiles[buffer][i][x + s * kSide];
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int s = 0; s < kEach; ++s) {
            const int row = tile_row + y + r * kSide, col = tile_col + x + s * kSide;
            if (row < m && col < n) c[row * n + col] = sum[r][s];
        }
    }
}

template <int kTile, int kDepth, int kEach>
static void launch(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
    const dim3 threads(kTile / kEach, kTile / kEach);
    matmul_kernel<kTile, kDepth, kEach><<<blocks, threads>>>(a, b, c, m, k, n);
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    launch<32, 32, 1>(a, b, c, m, k, n);
}

__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float tiles[];
    float *const a_tile = tiles, *const b_tile = tiles + tile * tile;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        copy_element(&a_tile[y * tile + x], a, row, first + x, m, k);
        copy_element(&b_tile[y * tile + x], b, first + y, col, k, n);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    const int shared_bytes = 2 * tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, dim3(tile, tile), shared_bytes>>>(a, b, c, m, k, n, tile);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    launch<64, 16, 4>(a, b, c, m, k, n);
}
