// Adds 0.1 a million times: in one growing float, in pairs, and in a growing double.

#include <cstdio>

__global__ void growing_kernel(const float* a, int n, float* in_float, double* in_double) {
    *in_float = 0;
    *in_double = 0;
    for (int i = 0; i < n; ++i) {
        *in_float += a[i];
        *in_double += a[i];
    }
}

__global__ void pairs_kernel(float* a, int half) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) a[i] += a[i + half];
}

int main() {
    const int n = 1 << 20;
    float *a, *in_float;
    double* in_double;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&in_float, sizeof(float));
    cudaMallocManaged(&in_double, sizeof(double));
    for (int i = 0; i < n; ++i) a[i] = 0.1F;

    growing_kernel<<<1, 1>>>(a, n, in_float, in_double);
    for (int half = n / 2; half > 0; half /= 2) pairs_kernel<<<(half + 255) / 256, 256>>>(a, half);
    cudaDeviceSynchronize();
    std::printf("growing float   %.4f\n", *in_float);
    std::printf("float in pairs  %.4f\n", a[0]);
    std::printf("growing double  %.4f\n", *in_double);
    cudaFree(a);
    cudaFree(in_float);
    cudaFree(in_double);
}
