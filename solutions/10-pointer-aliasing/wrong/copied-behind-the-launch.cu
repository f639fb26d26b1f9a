// Wrong: the coefficients are copied to constant memory when the kernel that needs them has been
// launched already.
//
// expect vgpu: "anneal: still the right temperatures": "Every part still has the temperature that it began with"
// expect gpu: "anneal: still the right temperatures": "Every part still has the temperature that it began with"

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

// ---------------------------------------------------------------------------
// Task 1: right, and slow. In every step the store to temperature[i] could have
// changed rate or bath, as far as the compiler knows, so it loads both again:
//
//     step         1          2          3        ...     4 * cycles
//     loads     rate bath  rate bath  rate bath          rate bath
//     stores       t          t          t                   t

__constant__ float rates[kBaths], baths[kBaths];

__global__ void anneal_kernel(const float* __restrict__ start, float* __restrict__ temperature,
                              int n, int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    temperature[i] = start[i];
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = 0; k < kBaths; ++k) {
            temperature[i] += rates[k] * (baths[k] - temperature[i]);
        }
    }
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    const int threads_per_block = 256;
    const int blocks = (n - 1) / threads_per_block + 1;
    anneal_kernel<<<blocks, threads_per_block>>>(start, temperature, n, cycles);
    CUDA_CHECK(cudaMemcpyToSymbol(rates, rate, sizeof(rates), 0, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpyToSymbol(baths, bath, sizeof(baths), 0, cudaMemcpyDeviceToDevice));
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
    if (overlap) CUDA_CHECK(cudaFree(copy));  // waits for the kernel
}
