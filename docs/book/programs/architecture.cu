// Says for which architecture its kernel was compiled, and on which one it runs.

#include <cstdio>

__global__ void compiled_for_kernel(int* architecture) {
#ifdef __CUDA_ARCH__
    *architecture = __CUDA_ARCH__;
#endif
}

int main() {
    int* architecture;
    cudaMallocManaged(&architecture, sizeof(int));
    compiled_for_kernel<<<1, 1>>>(architecture);
    cudaDeviceSynchronize();
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    std::printf("compiled for compute_%d, runs on sm_%d%d\n", *architecture / 10, gpu.major,
                gpu.minor);
    cudaFree(architecture);
}
