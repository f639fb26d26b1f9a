// Lab 05: Matrix product with shared memory. Read each element from global memory once a tile, not
// once a sum.
//
//   Handout   labs/05-matmul-shared/README.md
//   Check     ./lab grade 05
//   Stuck     ./lab hint 05

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

// ---------------------------------------------------------------------------
// Given: the slow version, which nothing here launches. One thread computes one
// element of c. Shapes: a is (m, k), b is (k, n), c is (m, n).

__global__ void matmul_naive_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

/// How many tiles of `tile` elements cover `size` elements.
__host__ __device__ int tiles_for(int size, int tile) {
    return size / tile + (size % tile != 0);
}

// ---------------------------------------------------------------------------
// Tiles in static shared memory. A block of kTile x kTile threads computes one
// tile of c, and goes through a tile row of a and a tile column of b:
//
//   a  [.][.][.]      b  [.][1][.]      c  [.][.][.]
//      [1][2][3]         [.][2][.]         [.][c][.]   c = 1*1 + 2*2 + 3*3
//      [.][.][.]         [.][3][.]         [.][.][.]

constexpr int kTile = 32;

/// Element (row, col) of the row-major matrix x with `rows` rows and `cols`
/// columns; 0 if there is no such element.
__device__ float element(const float* x, int row, int col, int rows, int cols);

__global__ void matmul_tiled_kernel(const float* a, const float* b, float* c, int m, int k, int n) {
    const int row = blockIdx.y * kTile + threadIdx.y;
    const int col = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;

    // TODO(1/4): Declare a tile of a and a tile of b in shared memory. For each
    //            tile along k: load one element of each tile, and add the
    //            products of a row and a column to sum. Two barriers are needed.
    //            About 11 lines. Handout: "One tile after the other".
    // BEGIN SOLUTION
    __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int first = 0; first < k; first += kTile) {
        a_tile[y][x] = element(a, row, first + x, m, k);
        b_tile[y][x] = element(b, first + y, col, k, n);
        __syncthreads();  // all of both tiles is there
        for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();  // everybody has read them: they may be overwritten
    }
    // END SOLUTION

    if (row < m && col < n) c[row * n + col] = sum;
}

__device__ float element(const float* x, int row, int col, int rows, int cols) {
    // TODO(2/4): Tiles reach past the edges of a matrix. Read only what exists.
    //            About 1 line. Handout: "The edges".
    // BEGIN SOLUTION
    // SKELETON return x[row * cols + col];
    return row < rows && col < cols ? x[row * cols + col] : 0;
    // END SOLUTION
}

void matmul_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
    if (m == 0 || n == 0) return;
    const dim3 threads(kTile, kTile), blocks(tiles_for(n, kTile), tiles_for(m, kTile));
    matmul_tiled_kernel<<<blocks, threads>>>(a, b, c, m, k, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// The same in dynamic shared memory: the host decides how large a tile is.

// BEGIN SOLUTION
__global__ void matmul_dynamic_kernel(const float* a, const float* b, float* c, int m, int k, int n,
                                      int tile) {
    extern __shared__ float tiles[];  // as many bytes as the launch says
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

// END SOLUTION
void matmul_dynamic(const float* a, const float* b, float* c, int m, int k, int n, int tile) {
    // TODO(3/4): Write the kernel above, with both tiles in one extern
    //            __shared__ array, and launch it: the third argument of the
    //            launch is the size of that array in bytes.
    //            About 24 lines. Handout: "A size that only the host knows".
    // BEGIN SOLUTION
    if (m == 0 || n == 0) return;
    const dim3 threads(tile, tile), blocks(tiles_for(n, tile), tiles_for(m, tile));
    const std::size_t shared_bytes = 2 * tile * tile * sizeof(float);
    matmul_dynamic_kernel<<<blocks, threads, shared_bytes>>>(a, b, c, m, k, n, tile);
    CUDA_CHECK(cudaGetLastError());
    // END SOLUTION
}

// ---------------------------------------------------------------------------
// Several elements per thread. A block of 16 x 16 threads computes 64 x 64
// elements of c, each thread 4 x 4 of them, 16 apart in both directions.

constexpr int kThreads = 16;                  // along each axis of a block
constexpr int kEach = 4;                      // elements of a thread along each axis
constexpr int kBlockTile = kThreads * kEach;  // elements of c along each axis of a block

__global__ void matmul_coarsened_kernel(const float* a, const float* b, float* c, int m, int k,
                                        int n) {
    const int row = blockIdx.y * kBlockTile + threadIdx.y;  // the thread's first
    const int col = blockIdx.x * kBlockTile + threadIdx.x;
    float sum[kEach][kEach] = {};  // in registers, if the compiler unrolls all loops over it

    // TODO(4/4): As in matmul_tiled_kernel, with tiles of kBlockTile x kThreads
    //            and kThreads x kBlockTile. For each i, read kEach elements of
    //            each tile, and add their kEach * kEach products to sum.
    //            About 20 lines. Handout: "More than one element a thread".
    // BEGIN SOLUTION
    __shared__ float a_tile[kBlockTile][kThreads], b_tile[kThreads][kBlockTile];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int first = 0; first < k; first += kThreads) {
#pragma unroll
        for (int each = 0; each < kEach; ++each) {
            const int shift = each * kThreads;
            a_tile[y + shift][x] = element(a, row + shift, first + x, m, k);
            b_tile[y][x + shift] = element(b, first + y, col + shift, k, n);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kThreads; ++i) {
            float a_row[kEach], b_col[kEach];  // each value is used kEach times
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
    // END SOLUTION

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
