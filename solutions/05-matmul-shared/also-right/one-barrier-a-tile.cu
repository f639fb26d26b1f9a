// Right: two buffers, and one barrier a tile. A buffer is filled again a whole round after it was
// read, and the barrier of the round between separates the two.

#include "matmul_shared.h"

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

__global__ void matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    constexpr int kTile = 32;
    __shared__ float a_tiles[2][kTile][kTile], b_tiles[2][kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
    float sum = 0;
    int buffer = 0;
    for (int first = 0; first < k; first += kTile, buffer = 1 - buffer) {
        a_tiles[buffer][y][x] = element(a, row, first + x, m, k);
        b_tiles[buffer][y][x] = element(b, first + y, col, k, n);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kTile; ++i) sum += a_tiles[buffer][y][i] * b_tiles[buffer][i][x];
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float shared[];
    const int x = threadIdx.x, y = threadIdx.y, area = tile * tile;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int number = 0; number * tile < k; ++number) {
        float* const a_tile = shared + number % 2 * 2 * area;
        float* const b_tile = a_tile + area;
        a_tile[y * tile + x] = element(a, row, number * tile + x, m, k);
        b_tile[y * tile + x] = element(b, number * tile + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

/// 64 x 64 elements a block of 16 x 16 threads. The next tiles are read from global memory before
/// the present ones are multiplied, and stored after.
__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    constexpr int kSide = 16, kEach = 4, kBlock = kSide * kEach;
    __shared__ float a_tiles[2][kBlock][kSide], b_tiles[2][kSide][kBlock];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kBlock + y, col = blockIdx.x * kBlock + x;
    float sum[kEach][kEach] = {}, next_a[kEach], next_b[kEach];
    int buffer = 0;
    for (int first = -kSide; first < k; first += kSide) {
#pragma unroll
        for (int each = 0; each < kEach; ++each) {
            next_a[each] = element(a, row + each * kSide, first + kSide + x, m, k);
            next_b[each] = element(b, first + kSide + y, col + each * kSide, k, n);
        }
        if (first >= 0) {
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
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
        buffer = 1 - buffer;
#pragma unroll
        for (int each = 0; each < kEach; ++each) {
            a_tiles[buffer][y + each * kSide][x] = next_a[each];
            b_tiles[buffer][y][x + each * kSide] = next_b[each];
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int s = 0; s < kEach; ++s) {
            const int to_row = row + r * kSide, to_col = col + s * kSide;
            if (to_row < m && to_col < n) c[to_row * n + to_col] = sum[r][s];
        }
    }
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + 31) / 32, (m + 31) / 32);
    matmul_tiled_kernel<<<blocks, dim3(32, 32)>>>(a, b, c, m, k, n);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    const int shared_bytes = 4 * tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, dim3(tile, tile), shared_bytes>>>(a, b, c, m, k, n, tile);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + 63) / 64, (m + 63) / 64);
    matmul_coarsened_kernel<<<blocks, dim3(16, 16)>>>(a, b, c, m, k, n);
}
