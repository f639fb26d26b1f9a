// Wrong: correct, but without tiles: every factor comes from global memory again for every sum.
//
// expect vgpu: "matmul_tiled: at least 0.77x the reference": "without tiles it is"
// expect vgpu: "matmul_coarsened: at least 0.55x the reference": "too slow"
// expect gpu: "matmul_tiled: at least 0.77x the reference": "too slow"
// expect gpu: "matmul_coarsened: at least 0.55x the reference": "too slow"

#include "matmul_shared.h"

__global__ void matmul_naive_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 threads(32, 32), blocks((n + 31) / 32, (m + 31) / 32);
    matmul_naive_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int) {
    matmul_tiled(a, b, c, m, k, n);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_tiled(a, b, c, m, k, n);
}
