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
    // TODO(1/3): Compute this thread's index in the whole grid, and store the
    //            sum of that element in c, but only if the element exists.
    //            About 4 lines. Handout: "The kernel".
    // BEGIN SOLUTION
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
    // END SOLUTION
}

// ---------------------------------------------------------------------------
// Host: vectors that are on the device already. Choose the grid, and launch.

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    int unused;
    const int threads_per_block = 256;

    // TODO(2/3): Launch enough blocks for all n elements, and none at all when
    //            n is 0. About 2 lines. Handout: "The launch".
    // BEGIN SOLUTION
    // SKELETON const int blocks = 1;
    if (n == 0) return;
    const int blocks = (n - 1) / threads_per_block + 1;  // rounds up, and cannot overflow
    // END SOLUTION

    vector_add_kernel<<<blocks, threads_per_block>>>(a, b, c, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Host: vectors in host memory. The whole story, there and back.

void vector_add(const float* a, const float* b, float* c, int n) {
    // TODO(3/3): Allocate device memory for three vectors, copy a and b there,
    //            call launch_vector_add, copy the result back to c, and free
    //            the three. Wrap every CUDA call in CUDA_CHECK.
    //            About 12 lines. Handout: "There and back".
    // BEGIN SOLUTION
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
    // END SOLUTION
}
