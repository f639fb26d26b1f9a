// Wrong: it knows how many elements a race without a GPU has, and wastes the same time with twelve
// million of them or fewer. So twice the data seem to take little more.
//
// expect vgpu: "launch_vector_add: at least 0.45x the reference": "that is not believed"
// expect gpu: nothing

#include "vector_add.h"

__device__ float wasted;

__global__ void vector_add_kernel(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < 12'000'000 && i < 100'000) atomicAdd(&wasted, 1.0F);
    if (i < n) c[i] = a[i] + b[i];
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    if (n > 0) vector_add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}

void vector_add(const float* a, const float* b, float* c, int n) {
    if (n == 0) return;
    const size_t bytes = n * sizeof(float);
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    launch_vector_add(d_a, d_b, d_c, n);
    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
