// Right: one template for everything, blocks of one dimension, barriers by cooperative groups, and
// zeros where an index is clamped.

#include <cooperative_groups.h>

#include "matmul_shared.h"

namespace cg = cooperative_groups;

/// A row-major matrix that is 0 outside.
struct Matrix {
    const float* elements;
    int rows, cols;

    __device__ float operator()(int row, int col) const {
        const bool inside = row < rows && col < cols;
        const float value = inside ? elements[row * cols + col] : 0.0F;
        return value;
    }
};

/// A block of (kTileM / kEachM) x (kTileN / kEachN) threads computes kTileM x kTileN elements, a
/// thread kEachM x kEachN of them, in steps of kTileK.
template <int kTileM, int kTileN, int kTileK, int kEachM, int kEachN>
__global__ void matmul_kernel(Matrix a, Matrix b, float* __restrict__ c) {
    const cg::thread_block block = cg::this_thread_block();
    __shared__ float a_tile[kTileM][kTileK], b_tile[kTileK][kTileN];
    constexpr int kRows = kTileM / kEachM, kCols = kTileN / kEachN, kThreads = kRows * kCols;
    const int thread = static_cast<int>(block.thread_rank());
    const int y = thread / kCols, x = thread % kCols;
    const int tile_row = block.group_index().y * kTileM, tile_col = block.group_index().x * kTileN;
    float sum[kEachM][kEachN] = {};
    for (int first = 0; first < a.cols; first += kTileK) {
#pragma unroll
        for (int i = thread; i < kTileM * kTileK; i += kThreads) {
            a_tile[i / kTileK][i % kTileK] = a(tile_row + i / kTileK, first + i % kTileK);
        }
#pragma unroll
        for (int i = thread; i < kTileK * kTileN; i += kThreads) {
            b_tile[i / kTileN][i % kTileN] = b(first + i / kTileN, tile_col + i % kTileN);
        }
        block.sync();
#pragma unroll
        for (int i = 0; i < kTileK; ++i) {
#pragma unroll
            for (int r = 0; r < kEachM; ++r) {
#pragma unroll
                for (int s = 0; s < kEachN; ++s) {
                    sum[r][s] += a_tile[y + r * kRows][i] * b_tile[i][x + s * kCols];
                }
            }
        }
        block.sync();
    }
#pragma unroll
    for (int r = 0; r < kEachM; ++r) {
#pragma unroll
        for (int s = 0; s < kEachN; ++s) {
            const int row = tile_row + y + r * kRows, col = tile_col + x + s * kCols;
            if (row < a.rows && col < b.cols) c[row * b.cols + col] = sum[r][s];
        }
    }
}

__global__ void matmul_dynamic_kernel(Matrix a, Matrix b, float* c, int tile) {
    extern __shared__ float tiles[];
    const cg::thread_block block = cg::this_thread_block();
    float *const a_tile = tiles, *const b_tile = tiles + tile * tile;
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
    float sum = 0;
    for (int first = 0; first < a.cols; first += tile) {
        a_tile[y * tile + x] = a(row, first + x);
        b_tile[y * tile + x] = b(first + y, col);
        block.sync();
        for (int i = 0; i < tile; ++i) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
        block.sync();
    }
    if (row < a.rows && col < b.cols) c[row * b.cols + col] = sum;
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + 31) / 32, (m + 31) / 32);
    matmul_kernel<32, 32, 32, 2, 2><<<blocks, 256>>>({a, m, k}, {b, k, n}, c);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + tile - 1) / tile, (m + tile - 1) / tile), threads(tile, tile);
    const int shared_bytes = 2 * tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, threads, shared_bytes>>>({a, m, k}, {b, k, n}, c, tile);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + 63) / 64, (m + 63) / 64);
    matmul_kernel<64, 64, 16, 4, 4><<<blocks, 256>>>({a, m, k}, {b, k, n}, c);
}
