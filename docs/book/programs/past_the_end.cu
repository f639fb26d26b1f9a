// Forgets that the last block has threads without an element.

#include <cstdio>

__global__ void fill_kernel(float* a, float value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = value;
}

int main() {
    const int n = 1000;
    float* a;
    cudaMalloc(&a, n * sizeof(float));
    fill_kernel<<<(n + 255) / 256, 256>>>(a, 1, n);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(a);
}
