// Asks where the compiler put two arrays of 32 floats: one with indices that it knows, one without.

#include <cstdio>

__global__ void known_kernel(float* out) {
    float a[32];
#pragma unroll
    for (int k = 0; k < 32; ++k) a[k] = out[k];
#pragma unroll
    for (int k = 0; k < 32; ++k) out[k] = a[31 - k];
}

__global__ void unknown_kernel(float* out, const int* order) {
    float a[32];
#pragma unroll
    for (int k = 0; k < 32; ++k) a[k] = out[k];
    for (int k = 0; k < 32; ++k) out[k] = a[order[k]];  // which element, only the data can say
}

int main() {
    cudaFuncAttributes known, unknown;
    cudaFuncGetAttributes(&known, known_kernel);
    cudaFuncGetAttributes(&unknown, unknown_kernel);
    std::printf("indices known:   %zu bytes of local memory a thread\n", known.localSizeBytes);
    std::printf("indices unknown: %zu bytes of local memory a thread\n", unknown.localSizeBytes);
}
