// Right: a grid that fills the GPU once, whatever the shape, and strides over the tiles of c; and
// eight by eight elements a thread.

#include <algorithm>

#include "matmul_shared.h"

/// A block of kSide x kSide threads computes tiles of c with kTile x kTile elements, one after the
/// other; kDepth divides kTile. The tiles of a are kept transposed, a column wider than needed.
template <int kTile, int kDepth, int kSide>
__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    constexpr int kEach = kTile / kSide;
    __shared__ float a_tile[kDepth][kTile + 1], b_tile[kDepth][kTile];
    const int thread = threadIdx.x, y = thread / kSide, x = thread % kSide;
    const int tiles_x = (n + kTile - 1) / kTile, tiles_y = (m + kTile - 1) / kTile;
    for (int tile = blockIdx.x; tile < tiles_x * tiles_y; tile += gridDim.x) {
        const int tile_row = tile / tiles_x * kTile, tile_col = tile % tiles_x * kTile;
        float sum[kEach][kEach] = {};
        for (int first = 0; first < k; first += kDepth) {
            for (int i = thread; i < kTile * kDepth; i += kSide * kSide) {
                const int a_row = tile_row + i / kDepth, a_col = first + i % kDepth;
                const int b_row = first + i / kTile, b_col = tile_col + i % kTile;
                a_tile[i % kDepth][i / kDepth] = a_row < m && a_col < k ? a[a_row * k + a_col] : 0;
                b_tile[i / kTile][i % kTile] = b_row < k && b_col < n ? b[b_row * n + b_col] : 0;
            }
            __syncthreads();
#pragma unroll
            for (int i = 0; i < kDepth; ++i) {
                float left[kEach], right[kEach];
#pragma unroll
                for (int each = 0; each < kEach; ++each) {
                    left[each] = a_tile[i][y + each * kSide];
                    right[each] = b_tile[i][x + each * kSide];
                }
#pragma unroll
                for (int r = 0; r < kEach; ++r) {
#pragma unroll
                    for (int s = 0; s < kEach; ++s) sum[r][s] += left[r] * right[s];
                }
            }
            __syncthreads();
        }
#pragma unroll
        for (int r = 0; r < kEach; ++r) {
#pragma unroll
            for (int s = 0; s < kEach; ++s) {
                const int row = tile_row + y + r * kSide, col = tile_col + x + s * kSide;
                if (row < m && col < n) c[row * n + col] = sum[r][s];
            }
        }
    }
}

/// The dynamic version, one block a tile; each block copies its rows in turns.
__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float tiles[];
    const int x = threadIdx.x, y = threadIdx.y, here = y * tile + x;
    const int tiles_x = (n + tile - 1) / tile;
    const int row = blockIdx.x / tiles_x * tile + y, col = blockIdx.x % tiles_x * tile + x;
    float sum = 0;
    for (int first = 0; first < k; first += tile) {
        tiles[here] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tiles[tile * tile + here] = first + y < k && col < n ? b[(first + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < tile; ++i) {
            sum = fmaf(tiles[y * tile + i], tiles[(tile + i) * tile + x], sum);
        }
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

template <int kTile, int kDepth, int kSide>
static void launch(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    int device, multiprocessors, blocks_each;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, matmul_kernel<kTile, kDepth, kSide>,
                                                  kSide * kSide, 0);
    const int tiles = ((n + kTile - 1) / kTile) * ((m + kTile - 1) / kTile);
    const int blocks = std::min(tiles, blocks_each * multiprocessors);
    matmul_kernel<kTile, kDepth, kSide><<<blocks, kSide * kSide>>>(a, b, c, m, k, n);
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    launch<32, 32, 16>(a, b, c, m, k, n);
}

void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    if (m == 0 || n == 0) return;
    const int blocks = ((n + tile - 1) / tile) * ((m + tile - 1) / tile);
    const int shared_bytes = 2 * tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, dim3(tile, tile), shared_bytes>>>(a, b, c, m, k, n, tile);
}

void matmul_coarsened(const float* a, const float* b, float* c, int m, int k, int n) {
    launch<64, 16, 8>(a, b, c, m, k, n);
}
