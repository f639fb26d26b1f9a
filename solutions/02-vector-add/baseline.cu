// Lab 02, baseline: right, and slow. One block works through the whole vector in strides of its own
// width, so one multiprocessor of the GPU works and the others wait.

#include "vector_add.h"

#include <cstddef>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = a[i] + b[i];
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    vector_add_kernel<<<1, 256>>>(a, b, c, n);
}

void vector_add(const float* a, const float* b, float* c, int n) {
    const std::size_t size_bytes = n * sizeof(float);
    float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
    cudaMalloc(&d_a, size_bytes);
    cudaMalloc(&d_b, size_bytes);
    cudaMalloc(&d_c, size_bytes);
    cudaMemcpy(d_a, a, size_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, size_bytes, cudaMemcpyHostToDevice);
    launch_vector_add(d_a, d_b, d_c, n);
    cudaMemcpy(c, d_c, size_bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
