// Wrong: a hard-coded size. There is room for 100,000 elements on the device, however many come.
//
// expect vgpu: "vector_add: there and back": "copying to the device: 1200028 bytes from byte 0 of d_a (allocated in line 42)"
// expect gpu: "vector_add: there and back": "invalid argument"

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

void vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    const std::size_t size_bytes = n * sizeof(float);

    float *d_a, *d_b, *d_c;
    CUDA_CHECK(cudaMalloc(&d_a, 100000 * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&d_b, size_bytes));
    CUDA_CHECK(cudaMalloc(&d_c, size_bytes));

    CUDA_CHECK(cudaMemcpy(d_a, a, size_bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_b, b, size_bytes, cudaMemcpyHostToDevice));
    launch_vector_add(d_a, d_b, d_c, n);
    CUDA_CHECK(cudaMemcpy(c, d_c, size_bytes, cudaMemcpyDeviceToHost));

    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    CUDA_CHECK(cudaFree(d_c));
}
