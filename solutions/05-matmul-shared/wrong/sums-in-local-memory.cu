// Wrong: correct, but the sums are in memory. A loop over them that is not unrolled needs an
// address, and registers have none.
//
// expect vgpu: "matmul_coarsened: at least 0.55x the reference": "is in local memory"
// expect gpu: "matmul_coarsened: at least 0.55x the reference": "too slow"

#include "matmul_shared.h"

constexpr int kThreads = 16, kEach = 4, kBlockTile = kThreads * kEach;

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    __shared__ float a_tile[kBlockTile][kThreads], b_tile[kThreads][kBlockTile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * kBlockTile + y, col = blockIdx.x * kBlockTile + x;
    float sum[kEach][kEach] = {};
    for (int first = 0; first < k; first += kThreads) {
        for (int shift = 0; shift < kBlockTile; shift += kThreads) {
            a_tile[y + shift][x] = element(a, row + shift, first + x, m, k);
            b_tile[y][x + shift] = element(b, first + y, col + shift, k, n);
        }
        __syncthreads();
        for (int i = 0; i < kThreads; ++i) {
#pragma unroll 1
            for (int r = 0; r < kEach; ++r) {
                for (int s = 0; s < kEach; ++s) {
                    sum[r][s] += a_tile[y + r * kThreads][i] * b_tile[i][x + s * kThreads];
                }
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < kEach; ++r) {
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

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_coarsened(a, b, c, m, k, n);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int) {
    matmul_coarsened(a, b, c, m, k, n);
}
