// Wrong: correct, but with bank conflicts: the tile of b is stored and read by columns.
//
// expect vgpu: "matmul_coarsened: at least 0.55x the reference": "Bank conflicts"
// expect gpu: "matmul_coarsened: at least 0.55x the reference": "too slow"

#include "matmul_shared.h"

constexpr int kTile = 32;

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

__global__ void matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < k; first += kTile) {
        a_tile[y][x] = element(a, row, first + x, m, k);
        b_tile[y][x] = element(b, first + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 threads(kTile, kTile), blocks((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
    matmul_tiled_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
}

__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float tiles[];
    float* const a_tile = tiles;
    float* const b_tile = tiles + tile * tile;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        a_tile[y * tile + x] = element(a, row, first + x, m, k);
        b_tile[y * tile + x] = element(b, first + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const dim3 threads(tile, tile), blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    matmul_dynamic_kernel<<<blocks, threads, 2 * tile * tile * sizeof(float)>>>(a, b, c, m, k, n,
                                                                                tile);
}

constexpr int kThreads = 16, kEach = 4, kBlockTile = kThreads * kEach;

__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    // b's tile by columns: a warp reads words that are 16 apart, and 16 of them share two banks.
    __shared__ float a_tile[kBlockTile][kThreads], b_tile[kBlockTile][kThreads];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kBlockTile + y, col = blockIdx.x * kBlockTile + x;
    float sum[kEach][kEach] = {};
    for (int first = 0; first < k; first += kThreads) {
#pragma unroll
        for (int each = 0; each < kEach; ++each) {
            const int shift = each * kThreads;
            a_tile[y + shift][x] = element(a, row + shift, first + x, m, k);
            b_tile[x + shift][y] = element(b, first + y, col + shift, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kThreads; ++i) {
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
#pragma unroll
                for (int s = 0; s < kEach; ++s) {
                    sum[r][s] += a_tile[y + r * kThreads][i] * b_tile[x + s * kThreads][i];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int s = 0; s < kEach; ++s) {
            const int to_row = row + r * kThreads, to_col = col + s * kThreads;
            if (to_row < m && to_col < n) c[to_row * n + to_col] = sum[r][s];
        }
    }
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 threads(kThreads, kThreads);
    const dim3 blocks((n + kBlockTile - 1) / kBlockTile, (m + kBlockTile - 1) / kBlockTile);
    matmul_coarsened_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
}
