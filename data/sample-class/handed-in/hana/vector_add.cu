// Lab 02: Vector add. Give every element of a vector its own GPU thread.
//
//   Handout   labs/02-vector-add/README.md
//   Check     ./lab grade 02
//   Stuck     ./lab hint 02

#include "vector_add.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// ---------------------------------------------------------------------------
// Error checking: every CUDA call goes through CUDA_CHECK. A launch returns
// nothing, so ask for its error afterwards: CUDA_CHECK(cudaGetLastError()).

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

// ---------------------------------------------------------------------------
// Device: one thread computes one element of c. Shapes: a, b, c are (n).
//
//     block 0         block 1               last block
//   [0 1 ... 255] [256 257 ... 511] ... [... n-1 | threads with no element]

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

// ---------------------------------------------------------------------------
// Host: vectors that are on the device already. Choose the grid, and launch.

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    const int threads_per_block = 256;
    if (n == 0) return;
    const int blocks = (n - 1) / threads_per_block + 1;  // rounds up, and cannot overflow

    vector_add_kernel<<<blocks, threads_per_block>>>(a, b, c, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Host: vectors in host memory. The whole story, there and back.

void vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    const std::size_t size_bytes = n * sizeof(float);

    float *d_a, *d_b, *d_c;
    CUDA_CHECK(cudaMalloc(&d_a, size_bytes));
    CUDA_CHECK(cudaMalloc(&d_b, size_bytes));
    CUDA_CHECK(cudaMalloc(&d_c, size_bytes));

    CUDA_CHECK(cudaMemcpy(d_a, a, size_bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_b, b, size_bytes, cudaMemcpyHostToDevice));
    launch_vector_add(d_a, d_b, d_c, n);
    CUDA_CHECK(cudaMemcpy(c, d_c, size_bytes, cudaMemcpyDeviceToHost));  // waits for the kernel

    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    CUDA_CHECK(cudaFree(d_c));
}
