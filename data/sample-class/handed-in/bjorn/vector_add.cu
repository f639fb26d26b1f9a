// Right: a grid that fills the GPU once, whatever n is, and strides through the vector; the
// occupancy API says how large it is.

#include "vector_add.h"

#include <cstddef>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, vector_add_kernel);
    vector_add_kernel<<<blocks, threads>>>(a, b, c, n);
}

void vector_add(const float* a, const float* b, float* c, int n) {
    const std::size_t size_bytes = n * sizeof(float);
    float *d_a, *d_b, *d_c;
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
