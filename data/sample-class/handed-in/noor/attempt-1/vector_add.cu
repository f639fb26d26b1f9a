// Right: a kernel template over the element type and the operation.

#include "vector_add.h"

#include <cstddef>

template <class T, class Operation>
__global__ void zip_kernel(const T* a, const T* b, T* c, int n, Operation operation) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = operation(a[i], b[i]);
}

struct Plus {
    template <class T>
    __device__ T operator()(T x, T y) const {
        return x + y;
    }
};

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    zip_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n, Plus{});
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
