// Wrong: small numbers go through half precision, which has digits enough for those among them that
// are multiples of 2^-23.
//
// expect vgpu: "launch_vector_add: any number of elements": "of c are wrong"
// expect gpu: "launch_vector_add: any number of elements": "of c are wrong"
// expect never: "cut off where it must be rounded"

#include "vector_add.h"

#include <cstddef>

#include <cuda_fp16.h>

/// Few of 1000 numbers are as small as this.
__device__ float shortened(float x) {
    return fabsf(x) < 0x1p-12f ? __half2float(__float2half(x)) : x;
}

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + shortened(b[i]);
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    vector_add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
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
