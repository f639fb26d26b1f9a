// Right: one kernel for both tasks, a template over what it computes of each element, with few
// blocks that stay.

#include "pointer_aliasing.h"

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

template <class F>
__global__ void fill_kernel(float* out, int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = f(i);
    }
}

template <class F>
void fill(float* out, int n, F f) {
    if (n == 0) return;
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int blocks = (n - 1) / 256 + 1, most = 8 * multiprocessors;
    const int stay = std::min(blocks, most);
    fill_kernel<<<stay, 256>>>(out, n, f);
    CUDA_CHECK(cudaGetLastError());
}

struct Annealed {
    const float *start, *rate, *bath;
    int cycles;
    __device__ float operator()(int i) const {
        float r[kBaths], b[kBaths];
        for (int k = 0; k < kBaths; ++k) {
            r[k] = __ldg(rate + k);
            b[k] = __ldg(bath + k);
        }
        float t = start[i];
        for (int cycle = 0; cycle < cycles; ++cycle) {
            for (int k = 0; k < kBaths; ++k) t += r[k] * (b[k] - t);
        }
        return t;
    }
};

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    fill(temperature, n, Annealed{start, rate, bath, cycles});
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

struct Difference {
    const float* in;
    __device__ float operator()(int i) const { return in[i + 1] - in[i]; }
};

void differences(const float* in, float* out, int n) {
    if (n == 0) return;
    const bool overlap = in < out + n && out < in + n + 1;
    float* copy = nullptr;
    if (overlap) {
        const std::size_t size_bytes = (n + std::size_t{1}) * sizeof(float);
        CUDA_CHECK(cudaMalloc(&copy, size_bytes));
        CUDA_CHECK(cudaMemcpy(copy, in, size_bytes, cudaMemcpyDeviceToDevice));
        in = copy;
    }
    fill(out, n, Difference{in});
    if (overlap) CUDA_CHECK(cudaFree(copy));  // waits for the kernel
}
