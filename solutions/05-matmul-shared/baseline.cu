// Lab 05, baseline: right, and slow. One thread computes one element of c, and reads everything
// that it needs for that from global memory.

#include "matmul_shared.h"

__global__ void matmul_naive_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const dim3 threads(tile, tile), blocks((n + tile - 1) / tile, (m + tile - 1) / tile);
    matmul_naive_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_dynamic(a, b, c, m, k, n, 32);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_tiled(a, b, c, m, k, n);
}
