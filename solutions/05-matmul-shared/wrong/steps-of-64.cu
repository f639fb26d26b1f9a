// Wrong: the loop along k goes on by the width of the block's part of c, not of the tiles.
//
// expect vgpu: "matmul_coarsened: any m, k and n": "goes on by 64, but the tiles are 16 wide"
// expect gpu: "matmul_coarsened: any m, k and n": "goes on by 64, but the tiles are 16 wide"

#include "matmul_shared.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

__global__ void matmul_naive_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

__host__ __device__ int tiles_for(int size, int tile) {
    return size / tile + (size % tile != 0);
}

constexpr int kTile = 32;

__device__ float element(const float* x, int row, int col, int rows, int cols);

__global__ void matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * kTile + threadIdx.y;
    const int col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;

    __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int first = 0; first < k; first += kTile) {
        a_tile[y][x] = element(a, row, first + x, m, k);
        b_tile[y][x] = element(b, first + y, col, k, n);
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }

    if (row < m && col < n) c[row * n + col] = sum;
}

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0;
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 threads(kTile, kTile), blocks(tiles_for(n, kTile), tiles_for(m, kTile));
    matmul_tiled_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
    CUDA_CHECK(cudaGetLastError());
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
    const dim3 threads(tile, tile), blocks(tiles_for(n, tile), tiles_for(m, tile));
    const std::size_t shared_bytes = 2 * tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, threads, shared_bytes>>>(a, b, c, m, k, n, tile);
    CUDA_CHECK(cudaGetLastError());
}

constexpr int kThreads = 16;
constexpr int kEach = 4;
constexpr int kBlockTile = kThreads * kEach;

__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    const int row = blockIdx.y * kBlockTile + threadIdx.y;
    const int col = blockIdx.x * kBlockTile + threadIdx.x;
    float sum[kEach][kEach] = {};

    __shared__ float a_tile[kBlockTile][kThreads], b_tile[kThreads][kBlockTile];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int first = 0; first < k; first += kBlockTile) {
#pragma unroll
        for (int each = 0; each < kEach; ++each) {
            const int shift = each * kThreads;
            a_tile[y + shift][x] = element(a, row + shift, first + x, m, k);
            b_tile[y][x + shift] = element(b, first + y, col + shift, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kThreads; ++i) {
            float a_row[kEach], b_col[kEach];
#pragma unroll
            for (int each = 0; each < kEach; ++each) {
                a_row[each] = a_tile[y + each * kThreads][i];
                b_col[each] = b_tile[i][x + each * kThreads];
            }
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
#pragma unroll
                for (int s = 0; s < kEach; ++s) sum[r][s] += a_row[r] * b_col[s];
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int s = 0; s < kEach; ++s) {
            const int to_row = row + r * kThreads, to_col = col + s * kThreads;
            if (to_row < m && to_col < n) c[to_row * n + to_col] = sum[r][s];
        }
    }
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 threads(kThreads, kThreads);
    const dim3 blocks(tiles_for(n, kBlockTile), tiles_for(m, kBlockTile));
    matmul_coarsened_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
    CUDA_CHECK(cudaGetLastError());
}
