// Wrong: host code passes the names of variables of the device, which on the host are not their
// addresses. Where the GPU reaches ordinary host memory, the result is wrong without an error.
//
// expect vgpu: "vector_add: there and back": "where the host has g_"
// expect gpu: "vector_add: there and back": "vector_add(n = 1000)"

#include "vector_add.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    const int threads_per_block = 256;

    if (n == 0) return;
    const int blocks = (n - 1) / threads_per_block + 1;

    vector_add_kernel<<<blocks, threads_per_block>>>(a, b, c, n);
    CUDA_CHECK(cudaGetLastError());
}

__device__ float g_a[1 << 15], g_b[1 << 15], g_c[1 << 15];

void vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    cudaMemcpyToSymbol(g_a, a, n * sizeof(float));
    cudaMemcpyToSymbol(g_b, b, n * sizeof(float));
    launch_vector_add(g_a, g_b, g_c, n);
    cudaMemcpyFromSymbol(c, g_c, n * sizeof(float));
}
