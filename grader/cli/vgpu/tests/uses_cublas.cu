// Makes a handle of cuBLAS, copies through it, and with an argument multiplies, which is missing.
#include <cublas_v2.h>

#include <cstdio>

__global__ void twice(float* x) {
    x[threadIdx.x] *= 2;
}

int main(int argc, char**) {
    constexpr int n = 64;
    float host[n], *x = nullptr;
    for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
    cublasHandle_t handle;
    cudaStream_t stream, same;
    cudaStreamCreate(&stream);
    std::printf("create %d", cublasCreate(&handle));
    std::printf(", set %d", cublasSetStream(handle, stream));
    std::printf(", get %d", cublasGetStream(handle, &same));
    std::printf("%s\n", same == stream ? "" : ", another stream");
    cudaMalloc(&x, n * sizeof(float));
    cublasSetVector(n, sizeof(float), host, 1, x, 1);
    twice<<<1, n>>>(x);
    cudaDeviceSynchronize();
    cublasGetMatrix(8, 8, sizeof(float), x, 8, host, 8);
    std::printf("%g\n", host[63]);
    const float one = 1;
    for (int i = 1; i < argc; ++i)
        std::printf("%s\n", cublasGetStatusString(cublasSscal(handle, n, &one, x, 1)));
    cublasDestroy(handle);
    cudaStreamDestroy(stream);
    cudaFree(x);
}
