// Lab 11, baseline: right, and slow. Blocks of one warp, and a thread for each element.

#include "occupancy.h"

constexpr int kWarp = 32;

__global__ void fused_kernel(float* c, const float* a, const float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + 2 * b[i];
}

static int blocks_of_a_warp(int n) {
    return n / kWarp + (n % kWarp != 0);
}

LaunchShape choose_launch(int n) {
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, fused_kernel);
    return {n / threads + (n % threads != 0), threads};
}

void fused(float* c, const float* a, const float* b, int n) {
    if (n == 0) return;
    fused_kernel<<<blocks_of_a_warp(n), kWarp>>>(c, a, b, n);
}

__global__ void power_sums_kernel(const float* x, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float power = 1;
    for (int k = 0; k < kPowers; ++k) {
        power *= i < n ? x[i] : 0;
        float sum = power;
        for (int apart = kWarp / 2; apart > 0; apart /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, apart);
        if (threadIdx.x == 0) atomicAdd(&sums[k], sum);
    }
}

void power_sums(const float* x, float* sums, int n) {
    cudaMemset(sums, 0, kPowers * sizeof(float));
    if (n == 0) return;
    power_sums_kernel<<<blocks_of_a_warp(n), kWarp>>>(x, sums, n);
}

int resident_blocks(int threads, int shared_bytes) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, power_sums_kernel, threads,
                                                  shared_bytes);
    return blocks;
}

BlockLimits block_limits(int threads, int shared_bytes) {
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    cudaFuncAttributes kernel;
    cudaFuncGetAttributes(&kernel, power_sums_kernel);
    const int warps = (threads + kWarp - 1) / kWarp;
    const int registers_a_warp = (kernel.numRegs * kWarp + 255) / 256 * 256;
    const int shared =
        static_cast<int>(shared_bytes + gpu.reservedSharedMemPerBlock + 127) / 128 * 128;
    return {gpu.maxThreadsPerMultiProcessor / kWarp / warps, gpu.maxBlocksPerMultiProcessor,
            gpu.regsPerMultiprocessor / 4 / registers_a_warp * 4 / warps,
            static_cast<int>(gpu.sharedMemPerMultiprocessor) / shared};
}
