// Right: managed memory in the host function: one pointer that host and device share.

#include "vector_add.h"

#include <algorithm>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    vector_add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}

void vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    float *shared_a, *shared_b, *shared_c;
    cudaMallocManaged(&shared_a, n * sizeof(float));
    cudaMallocManaged(&shared_b, n * sizeof(float));
    cudaMallocManaged(&shared_c, n * sizeof(float));
    std::copy(a, a + n, shared_a);
    std::copy(b, b + n, shared_b);
    launch_vector_add(shared_a, shared_b, shared_c, n);
    cudaDeviceSynchronize();
    std::copy(shared_c, shared_c + n, c);
    cudaFree(shared_a);
    cudaFree(shared_b);
    cudaFree(shared_c);
}
