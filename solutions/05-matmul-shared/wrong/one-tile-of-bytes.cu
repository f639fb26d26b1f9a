// Wrong: the third launch argument has room for one tile of the two.
//
// expect vgpu: "matmul_dynamic: any tile width": "in its third argument"
// expect gpu: "matmul_dynamic: any tile width": "stopped with the CUDA error"

#include "matmul_shared.h"

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
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
    const int shared_bytes = tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, threads, shared_bytes>>>(a, b, c, m, k, n, tile);
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_dynamic(a, b, c, m, k, n, 32);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    matmul_dynamic(a, b, c, m, k, n, 32);
}
