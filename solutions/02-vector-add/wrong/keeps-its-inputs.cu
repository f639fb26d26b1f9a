// Wrong: state kept between calls. To save time, the device copies of the inputs are kept, and
// filled again only when n has changed: the second call with the same n adds the first call's
// vectors.
//
// expect vgpu: "vector_add: there and back": "left over"
// expect gpu: "vector_add: there and back": "left over"

#include "vector_add.h"

#include <cstddef>

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    vector_add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}

void vector_add(const float* a, const float* b, float* c, int n) {
    static float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
    static int kept_n = -1;
    const std::size_t size_bytes = n * sizeof(float);
    if (n != kept_n) {
        cudaFree(d_a);
        cudaFree(d_b);
        cudaFree(d_c);
        cudaMalloc(&d_a, size_bytes);
        cudaMalloc(&d_b, size_bytes);
        cudaMalloc(&d_c, size_bytes);
        cudaMemcpy(d_a, a, size_bytes, cudaMemcpyHostToDevice);
        cudaMemcpy(d_b, b, size_bytes, cudaMemcpyHostToDevice);
        kept_n = n;
    }
    launch_vector_add(d_a, d_b, d_c, n);
    cudaMemcpy(c, d_c, size_bytes, cudaMemcpyDeviceToHost);
}
