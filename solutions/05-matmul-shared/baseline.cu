// Lab 05, baseline: right, and slow. One thread computes one element of c, and reads everything
// that it needs for that from global memory. Only matmul_dynamic has tiles, as it must.

#include "matmul_shared.h"

__global__ void matmul_naive_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float tiles[];
    float* const b_tile = tiles + tile * tile;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        tiles[y * tile + x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y * tile + x] = first + y < k && col < n ? b[(first + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += tiles[y * tile + i] * b_tile[i * tile + x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const dim3 threads(tile, tile), blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    const int shared_bytes = 2 * tile * tile * static_cast<int>(sizeof(float));
    matmul_dynamic_kernel<<<blocks, threads, shared_bytes>>>(a, b, c, m, k, n, tile);
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 threads(32, 32), blocks((n + 31) / 32, (m + 31) / 32);
    matmul_naive_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_tiled(a, b, c, m, k, n);
}
