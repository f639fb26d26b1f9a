// Right: four parts a thread, loaded and stored as one, and intervals that are sorted to find who
// meets whom.

#include "pointer_aliasing.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

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

__global__ void anneal_kernel(const float* start, const float* rate, const float* bath,
                              float* temperature, int n, int cycles) {
    float r[kBaths], b[kBaths];
    for (int k = 0; k < kBaths; ++k) {
        r[k] = rate[k];
        b[k] = bath[k];
    }
    const auto done = [&](float t) {
        for (int cycle = 0; cycle < cycles; ++cycle) {
#pragma unroll
            for (int k = 0; k < kBaths; ++k) t += r[k] * (b[k] - t);
        }
        return t;
    };
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        const float4 t = reinterpret_cast<const float4*>(start)[i];
        reinterpret_cast<float4*>(temperature)[i] =
            make_float4(done(t.x), done(t.y), done(t.z), done(t.w));
    } else if (const int rest = i - n / 4 + n / 4 * 4; rest < n) {
        temperature[rest] = done(start[rest]);
    }
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    const int threads = n / 4 + n % 4;
    anneal_kernel<<<(threads + 255) / 256, 256>>>(start, rate, bath, temperature, n, cycles);
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
    for (unsigned k = 0; k < static_cast<unsigned>(count); ++k) {
        const auto& [start, rate, bath, temperature, n] = calls[k];
        bool meets = false;
        for (const auto& [begin, length] : {std::pair(start, n), {rate, kBaths}, {bath, kBaths}}) {
            const long long first = std::max(begin, temperature);
            const long long last = std::min(begin + length, temperature + n);
            meets = meets || (n != 0 && first < last);
        }
        broken |= static_cast<unsigned>(meets) << k;
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
