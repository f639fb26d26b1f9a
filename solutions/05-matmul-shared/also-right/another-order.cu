// Right: the same sums in other orders: from the last tile to the first, the even terms apart from
// the odd ones, and with Kahan's correction.

#include "matmul_shared.h"

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

__global__ void matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    constexpr int kTile = 32;
    __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
    float even = 0, odd = 0;
    for (int first = (k + kTile - 1) / kTile * kTile - kTile; first >= 0; first -= kTile) {
        a_tile[y][x] = element(a, row, first + x, m, k);
        b_tile[y][x] = element(b, first + y, col, k, n);
        __syncthreads();
#pragma unroll
        for (int i = kTile - 2; i >= 0; i -= 2) {
            odd += a_tile[y][i + 1] * b_tile[i + 1][x];
            even += a_tile[y][i] * b_tile[i][x];
        }
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = even + odd;
}

/// Kahan's sum: what an addition loses is added to the next term.
__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float tiles[];
    float *const a_tile = tiles, *const b_tile = tiles + tile * tile;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0, lost = 0;
    for (int first = 0; first < k; first += tile) {
        a_tile[y * tile + x] = element(a, row, first + x, m, k);
        b_tile[y * tile + x] = element(b, first + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < tile; ++i) {
            const float term = __fmaf_rn(a_tile[y * tile + i], b_tile[i * tile + x], -lost);
            const float next = __fadd_rn(sum, term);
            lost = __fsub_rn(__fsub_rn(next, sum), term);
            sum = next;
        }
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

/// Each tile's terms are summed up on their own before they are added; products are rounded first.
__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    constexpr int kSide = 16, kEach = 4, kBlock = kSide * kEach;
    __shared__ float a_tile[kBlock][kSide], b_tile[kSide][kBlock];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kBlock + y, col = blockIdx.x * kBlock + x;
    float sum[kEach][kEach] = {};
    for (int first = 0; first < k; first += kSide) {
#pragma unroll
        for (int each = 0; each < kEach; ++each) {
            a_tile[y + each * kSide][x] = element(a, row + each * kSide, first + x, m, k);
            b_tile[y][x + each * kSide] = element(b, first + y, col + each * kSide, k, n);
        }
        __syncthreads();
        float part[kEach][kEach] = {};
#pragma unroll
        for (int i = 0; i < kSide; ++i) {
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
#pragma unroll
                for (int s = 0; s < kEach; ++s) {
                    part[r][s] = __fadd_rn(
                        part[r][s], __fmul_rn(a_tile[y + r * kSide][i], b_tile[i][x + s * kSide]));
                }
            }
        }
#pragma unroll
        for (int r = 0; r < kEach; ++r) {
#pragma unroll
            for (int s = 0; s < kEach; ++s) sum[r][s] += part[r][s];
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
    const int shared_bytes = 2 * tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, dim3(tile, tile), shared_bytes>>>(a, b, c, m, k, n, tile);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + 63) / 64, (m + 63) / 64);
    matmul_coarsened_kernel<<<blocks, dim3(16, 16)>>>(a, b, c, m, k, n);
}
