// Asks how many blocks of a kernel a multiprocessor holds, for several sizes of the block and of
// its shared memory.

#include <cstdio>

__global__ void scale_kernel(float* a, float factor) {
    extern __shared__ float unused[];
    a[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

int main() {
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    std::printf("%s: %d multiprocessors of %d threads\n", gpu.name, gpu.multiProcessorCount,
                gpu.maxThreadsPerMultiProcessor);
    for (const int shared_kib : {0, 16, 48}) {
        for (const int threads : {32, 256, 1024}) {
            int blocks = 0;
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale_kernel, threads,
                                                          shared_kib * 1024);
            std::printf("%2d KiB shared, %4d threads: %2d blocks, occupancy %3d %%\n", shared_kib,
                        threads, blocks, 100 * blocks * threads / gpu.maxThreadsPerMultiProcessor);
        }
    }
}
