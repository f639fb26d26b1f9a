// Lab 11, expert: fewer threads, each with more to do. Loads of 16 bytes, two of them in flight;
// and sums of powers of two elements at a time, by which the chains of multiplications overlap.

#include "occupancy.h"

#include <algorithm>
#include <cstdint>

constexpr int kWarp = 32;

/// Elements from 8 i to 8 i + 7; those after the last whole 8 one by one.
__global__ void fused_kernel(float* c, const float* a, const float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, wholes = n / 4;
    const auto fused = [](float x, float y) { return x + 2 * y; };
    const auto* const a4 = reinterpret_cast<const float4*>(a);
    const auto* const b4 = reinterpret_cast<const float4*>(b);
    auto* const c4 = reinterpret_cast<float4*>(c);
    const int stride = gridDim.x * blockDim.x;
#pragma unroll 2
    for (int j = i; j < wholes; j += stride) {
        const float4 x = __ldcs(&a4[j]), y = __ldcs(&b4[j]);
        __stcs(&c4[j],
               make_float4(fused(x.x, y.x), fused(x.y, y.y), fused(x.z, y.z), fused(x.w, y.w)));
    }
    for (int j = 4 * wholes + i; j < n; j += stride) c[j] = fused(a[j], b[j]);
}

LaunchShape choose_launch(int n) {
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, fused_kernel);
    // At least the GPU's fill, and two loads of 4 elements a thread for large n.
    const int wanted = static_cast<int>((static_cast<std::int64_t>(n) + 8 * threads - 1) /
                                        (8 * static_cast<std::int64_t>(threads)));
    return {std::max({blocks, wanted, 1}), threads};
}

void fused(float* c, const float* a, const float* b, int n) {
    const LaunchShape shape = choose_launch(n);
    fused_kernel<<<shape.blocks, shape.threads>>>(c, a, b, n);
}

__global__ void power_sums_kernel(const float* x, float* sums, int n) {
    extern __shared__ float rows[];
    float sum[kPowers] = {};
    const int stride = gridDim.x * blockDim.x;
    for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 2 * stride) {
        const float u = x[i], v = i + stride < n ? x[i + stride] : 0;
        float power_u = u, power_v = v;
#pragma unroll
        for (int k = 0; k < kPowers; ++k, power_u *= u, power_v *= v) {
            sum[k] += power_u;
            sum[k] += power_v;
        }
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

static std::size_t shared_bytes_of(int threads) {
    return threads / kWarp * kPowers * sizeof(float);
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

void power_sums(const float* x, float* sums, int n) {
    cudaMemset(sums, 0, kPowers * sizeof(float));
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, power_sums_kernel,
                                                   shared_bytes_of);
    blocks = std::min(blocks, (n + threads - 1) / threads);
    if (blocks > 0) power_sums_kernel<<<blocks, threads, shared_bytes_of(threads)>>>(x, sums, n);
}
