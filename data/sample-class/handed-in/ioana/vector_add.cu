// Wrong: correct, but uncoalesced. Each thread adds 16 consecutive elements, so the 32 addresses of
// a warp are 64 bytes apart, and every one of them costs a sector of its own.
//
// expect vgpu: "launch_vector_add: at least 0.45x the reference": "coalescing"
// expect gpu: "launch_vector_add: at least 0.45x the reference": "too slow"

#include "vector_add.h"

#include <cstddef>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    for (int i = first; i < first + 16 && i < n; ++i) c[i] = a[i] + b[i];
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    vector_add_kernel<<<(n + 4095) / 4096, 256>>>(a, b, c, n);
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
