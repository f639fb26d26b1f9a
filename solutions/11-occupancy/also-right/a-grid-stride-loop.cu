// Right: fused_kernel loops, so a grid that fills the GPU once is enough.

#include "occupancy.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kWarp = 32;

// ---------------------------------------------------------------------------
// A light kernel: few registers, no shared memory, one element a thread.

__global__ void fused_kernel(float* c, const float* a, const float* b, int n) {
    const long long stride = gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + 2 * b[i];
}

LaunchShape choose_launch(int n) {
    int blocks_to_fill = 0, threads = 0;
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks_to_fill, &threads, fused_kernel));
    return {blocks_to_fill, threads};
}

void fused(float* c, const float* a, const float* b, int n) {
    const LaunchShape shape = choose_launch(n);
    if (n == 0 || shape.blocks == 0) return;
    fused_kernel<<<shape.blocks, shape.threads>>>(c, a, b, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// A heavy kernel: each thread keeps its 72 sums in registers. Dynamic shared
// memory: one row of 72 floats for each warp of the block.
//
//   thread    x[i], x[i + stride], ...  ->  sum[0 .. 71] in registers
//   warp      shuffles                  ->  its row of `rows`
//   block     adds the rows             ->  72 atomic additions to sums

__global__ void power_sums_kernel(const float* x, float* sums, int n) {
    extern __shared__ float rows[];
    float sum[kPowers] = {};
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float power = x[i];
#pragma unroll
        for (int k = 0; k < kPowers; ++k, power *= x[i]) sum[k] += power;
    }

    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
#pragma unroll
    for (int k = 0; k < kPowers; ++k) {
        for (int apart = kWarp / 2; apart > 0; apart /= 2)
            sum[k] += __shfl_down_sync(0xffffffff, sum[k], apart);
        if (lane == 0) rows[warp * kPowers + k] = sum[k];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < kPowers; k += blockDim.x) {
        float total = 0;
        for (int w = 0; w < blockDim.x / kWarp; ++w) total += rows[w * kPowers + k];
        atomicAdd(&sums[k], total);
    }
}

/// The dynamic shared memory of a block, in bytes.
std::size_t shared_bytes_of(int threads) {
    return threads / kWarp * kPowers * sizeof(float);
}

int resident_blocks(int threads, int shared_bytes) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, power_sums_kernel, threads,
                                                             shared_bytes));
    return blocks;
}

BlockLimits block_limits(int threads, int shared_bytes) {
    cudaDeviceProp gpu;  // what a multiprocessor has
    CUDA_CHECK(cudaGetDeviceProperties(&gpu, 0));
    cudaFuncAttributes kernel;  // what the kernel needs
    CUDA_CHECK(cudaFuncGetAttributes(&kernel, power_sums_kernel));
    constexpr int kSchedulers = 4, kRegisterUnit = 256, kSharedUnit = 128;
    const auto round_up = [](int value, int unit) { return (value + unit - 1) / unit * unit; };
    const int warps = round_up(threads, kWarp) / kWarp;
    const int registers_a_warp = round_up(kernel.numRegs * kWarp, kRegisterUnit);
    const int warps_by_registers =
        gpu.regsPerMultiprocessor / kSchedulers / registers_a_warp * kSchedulers;
    const int shared_a_block = round_up(
        static_cast<int>(shared_bytes + kernel.sharedSizeBytes + gpu.reservedSharedMemPerBlock),
        kSharedUnit);
    return {gpu.maxThreadsPerMultiProcessor / kWarp / warps, gpu.maxBlocksPerMultiProcessor,
            warps_by_registers / warps,
            static_cast<int>(gpu.sharedMemPerMultiprocessor / shared_a_block)};
}

void power_sums(const float* x, float* sums, int n) {
    CUDA_CHECK(cudaMemset(sums, 0, kPowers * sizeof(float)));
    int blocks = 0, threads = 0;
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, power_sums_kernel,
                                                              shared_bytes_of));
    blocks = std::min(blocks, n / threads + (n % threads != 0));
    if (blocks == 0) return;
    power_sums_kernel<<<blocks, threads, shared_bytes_of(threads)>>>(x, sums, n);
    CUDA_CHECK(cudaGetLastError());
}
