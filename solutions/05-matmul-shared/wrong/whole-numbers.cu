// Wrong: the wrong type: the sum is an int, and loses what is behind the point at every
// addition.
//
// expect vgpu: "matmul_tiled: multiples of 32": "go through an int"
// expect gpu: "matmul_tiled: multiples of 32": "go through an int"

#include "matmul_shared.h"

constexpr int kTile = 32;

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

__global__ void matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
    int sum = 0;
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

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_tiled(a, b, c, m, k, n);
}
