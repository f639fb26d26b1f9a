// Right: short arrays are read by all blocks before any of them stores: one cooperative launch.

#include "pointer_aliasing.h"

#include <cooperative_groups.h>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

// ---------------------------------------------------------------------------
// Task 1: right, and slow. In every step the store to temperature[i] could have
// changed rate or bath, as far as the compiler knows, so it loads both again:
//
//     step         1          2          3        ...     4 * cycles
//     loads     rate bath  rate bath  rate bath          rate bath
//     stores       t          t          t                   t

__global__ void anneal_kernel(const float* __restrict__ start, const float* __restrict__ rate,
                              const float* __restrict__ bath, float* __restrict__ temperature,
                              int n, int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    temperature[i] = start[i];
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = 0; k < kBaths; ++k) {
            temperature[i] += rate[k] * (bath[k] - temperature[i]);
        }
    }
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    const int threads_per_block = 256;
    const int blocks = (n - 1) / threads_per_block + 1;
    anneal_kernel<<<blocks, threads_per_block>>>(start, rate, bath, temperature, n, cycles);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 2: who breaks the promise? A range is [begin, end): end is not part of it.
//
//     [first ....)
//           [second ...)       begins before the first ends: they share elements
//                [third ....)  begins where the first ends: they share none

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    const auto share = [](int a, int a_count, int b, int b_count) {
        return a < b + b_count && b < a + a_count;
    };
    for (int k = 0; k < count; ++k) {
        const AnnealCall& call = calls[k];
        if (call.n == 0) continue;  // no thread reads or writes
        if (share(call.temperature, call.n, call.start, call.n) ||
            share(call.temperature, call.n, call.rate, kBaths) ||
            share(call.temperature, call.n, call.bath, kBaths)) {
            broken |= 1u << k;
        }
    }
    return broken;
}

// ---------------------------------------------------------------------------
// Task 3: in and out may overlap, so there is nothing to promise. As it stands, a
// thread may read what another one has overwritten already:
//
//     in     [ 0  1  2  3  4  5 ]
//     out           [ 0  1  2  3  4 ]         here out == in + 2

__global__ void differences_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1] - in[i];
}

__global__ void all_at_once(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float d = i < n ? in[i + 1] - in[i] : 0;
    cooperative_groups::this_grid().sync();
    if (i < n) out[i] = d;
}

void differences(const float* in, float* out, int n) {
    if (n == 0) return;
    const int threads_per_block = 256;
    const int blocks = (n - 1) / threads_per_block + 1;

    int device = 0, sms = 0, each = 0;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, all_at_once, 1024, 0);
    const int grid = std::max(1, std::min(sms * each, (n + 1023) / 1024));
    if ((n + 1023) / 1024 <= grid) {
        void* args[] = {&in, &out, &n};
        CUDA_CHECK(
            cudaLaunchCooperativeKernel((const void*)all_at_once, grid, 1024, args, 0, nullptr));
        return;
    }
    float* copy = nullptr;
    CUDA_CHECK(cudaMalloc(&copy, (n + 1) * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(copy, in, (n + 1) * sizeof(float), cudaMemcpyDeviceToDevice));
    differences_kernel<<<blocks, threads_per_block>>>(copy, out, n);
    CUDA_CHECK(cudaFree(copy));
}
