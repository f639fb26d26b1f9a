// Wrong: hard-coded for the visible sizes. 1172 blocks are just enough for 300007, the largest size
// that the correctness tests name; larger vectors stay unfinished.
//
// expect vgpu: "launch_vector_add: at least 0.45x the reference": "this element was never written"
// expect gpu: "launch_vector_add: at least 0.45x the reference": "of c are wrong"

#include "vector_add.h"

#include <cstddef>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    vector_add_kernel<<<1172, 256>>>(a, b, c, n);
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
