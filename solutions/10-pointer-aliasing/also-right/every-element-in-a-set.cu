// Right: no ranges are compared: all elements that are written go into a set, and all that are read
// are looked up in it.

#include <set>
#include "pointer_aliasing.h"

#include <cstddef>
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

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    for (int k = 0; k < count; ++k) {
        const AnnealCall& call = calls[k];
        if (call.n == 0) continue;
        std::set<int> written;
        for (int i = 0; i < call.n; ++i) written.insert(call.temperature + i);
        bool hit = false;
        for (int i = 0; i < call.n; ++i) hit |= written.count(call.start + i) > 0;
        for (int i = 0; i < kBaths; ++i)
            hit |= written.count(call.rate + i) + written.count(call.bath + i) > 0;
        if (hit) broken += 1u << k;
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

    const bool overlap = in < out + n && out < in + n + 1;
    float* copy = nullptr;
    if (overlap) {
        const std::size_t size_bytes = (n + std::size_t{1}) * sizeof(float);
        CUDA_CHECK(cudaMalloc(&copy, size_bytes));
        CUDA_CHECK(cudaMemcpy(copy, in, size_bytes, cudaMemcpyDeviceToDevice));
        in = copy;
    }
    differences_kernel<<<blocks, threads_per_block>>>(in, out, n);
    CUDA_CHECK(cudaGetLastError());
    if (overlap) CUDA_CHECK(cudaFree(copy));
}
