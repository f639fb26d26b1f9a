// Wrong: extent. rate and bath are taken to be as long as the temperatures.
//
// expect vgpu: "promise_breakers: the borderline cases": "however large n is"
// expect gpu: "promise_breakers: the borderline cases": "however large n is"

#include "pointer_aliasing.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

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

inline bool overlap(int a, int a_count, int b, int b_count) {
    return a < b + b_count && b < a + a_count;
}

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    for (int k = 0; k < count; ++k) {
        const AnnealCall& c = calls[k];
        if (c.n == 0) continue;
        if (overlap(c.temperature, c.n, c.start, c.n) || overlap(c.temperature, c.n, c.rate, c.n) ||
            overlap(c.temperature, c.n, c.bath, c.n)) {
            broken |= 1u << k;
        }
    }
    return broken;
}

__global__ void differences_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1] - in[i];
}

void differences(const float* in, float* out, int n) {
    if (n == 0) return;
    const int threads_per_block = 256;
    const int blocks = (n - 1) / threads_per_block + 1;
    if (in < out + n && out < in + n + 1) {
        float* copy = nullptr;
        CUDA_CHECK(cudaMalloc(&copy, (n + 1) * sizeof(float)));
        CUDA_CHECK(cudaMemcpy(copy, in, (n + 1) * sizeof(float), cudaMemcpyDeviceToDevice));
        differences_kernel<<<blocks, threads_per_block>>>(copy, out, n);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaFree(copy));
        return;
    }
    differences_kernel<<<blocks, threads_per_block>>>(in, out, n);
    CUDA_CHECK(cudaGetLastError());
}
