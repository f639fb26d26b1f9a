// Right: tiles of 16 x 16, the smallest that is still accepted; and 4 x 4 neighbouring elements a
// thread, in vectors of four.

#include "matmul_shared.h"

constexpr int kTile = 16, kEach = 4, kBlockTile = kTile * kEach;

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
#pragma unroll
        for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float a_tile[];
    float* const b_tile = a_tile + tile * tile;
    const int x = threadIdx.x, y = threadIdx.y, here = y * tile + x;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        a_tile[here] = element(a, row, first + x, m, k);
        b_tile[here] = element(b, first + y, col, k, n);
        __syncthreads();
        // Terms behind the end of k are left out, not added as zeros.
        const int count = min(tile, k - first);
        for (int i = 0; i < count; ++i) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    __shared__ __align__(16) float a_tile[kTile][kBlockTile], b_tile[kTile][kBlockTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int block_row = blockIdx.y * kBlockTile, block_col = blockIdx.x * kBlockTile;
    float sum[kEach][kEach] = {};
    for (int first = 0; first < k; first += kTile) {
        for (int shift = 0; shift < kBlockTile; shift += kTile) {
            a_tile[x][y + shift] = element(a, block_row + y + shift, first + x, m, k);
            b_tile[y][x + shift] = element(b, first + y, block_col + x + shift, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const float4 left = *reinterpret_cast<float4*>(&a_tile[i][y * kEach]);
            const float4 right = *reinterpret_cast<float4*>(&b_tile[i][x * kEach]);
            const float left_of[] = {left.x, left.y, left.z, left.w};
            const float right_of[] = {right.x, right.y, right.z, right.w};
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
#pragma unroll
                for (int s = 0; s < kEach; ++s) sum[r][s] += left_of[r] * right_of[s];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int s = 0; s < kEach; ++s) {
            const int row = block_row + y * kEach + r, col = block_col + x * kEach + s;
            if (row < m && col < n) c[row * n + col] = sum[r][s];
        }
    }
}

static dim3 blocks_for(int m, int n, int tile) {
    return dim3((n + tile - 1) / tile, (m + tile - 1) / tile);
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    matmul_tiled_kernel<<<blocks_for(m, n, kTile), dim3(kTile, kTile)>>>(a, b, c, m, k, n);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    matmul_dynamic_kernel<<<blocks_for(m, n, tile), dim3(tile, tile),
                            2 * sizeof(float) * tile * tile>>>(a, b, c, m, k, n, tile);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    matmul_coarsened_kernel<<<blocks_for(m, n, kBlockTile), dim3(kTile, kTile)>>>(a, b, c, m, k, n);
}
