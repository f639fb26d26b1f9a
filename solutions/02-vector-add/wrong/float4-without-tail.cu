// Wrong: wrong for non-multiples. Four elements a thread, and nobody takes the last n % 4.
//
// expect vgpu: "launch_vector_add: up to 256 elements": "The last 3 elements were not written"
// expect gpu: "launch_vector_add: up to 256 elements": "The last 3 elements were not written"

#include "vector_add.h"

#include <cstddef>

__global__ void vector_add_kernel(const float4* a, const float4* b, float4* c, int quads) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads)
        c[i] = make_float4(a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w);
}

void launch_vector_add(const float* a, const float* b, float* c, int n) {
    const int quads = n / 4;
    if (quads == 0) return;
    vector_add_kernel<<<(quads + 255) / 256, 256>>>(reinterpret_cast<const float4*>(a),
                                                    reinterpret_cast<const float4*>(b),
                                                    reinterpret_cast<float4*>(c), quads);
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
