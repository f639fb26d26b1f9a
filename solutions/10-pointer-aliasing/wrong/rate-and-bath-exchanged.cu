// Wrong: rate and bath are exchanged in the formula.
//
// expect vgpu: "anneal: still the right temperatures": "rate and bath are swapped"
// expect gpu: "anneal: still the right temperatures": "rate and bath are swapped"

#include "pointer_aliasing.h"

#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

__global__ void differences_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1] - in[i];
}

__global__ void anneal_kernel(const float* __restrict__ start, const float* __restrict__ rate,
                              const float* __restrict__ bath, float* __restrict__ temperature,
                              int n, int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = start[i];
    for (int cycle = 0; cycle < cycles; ++cycle)
        for (int k = 0; k < kBaths; ++k) t += bath[k] * (rate[k] - t);
    temperature[i] = t;
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    anneal_kernel<<<(n - 1) / 256 + 1, 256>>>(start, rate, bath, temperature, n, cycles);
    CUDA_CHECK(cudaGetLastError());
}

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    for (int k = 0; k < count; ++k) {
        const AnnealCall& c = calls[k];
        if (c.n == 0) continue;
        auto meets = [&](int begin, int m) {
            return begin < c.temperature + c.n && c.temperature < begin + m;
        };
        if (meets(c.start, c.n) || meets(c.rate, kBaths) || meets(c.bath, kBaths))
            broken |= 1u << k;
    }
    return broken;
}

void differences(const float* in, float* out, int n) {
    if (n == 0) return;
    const float* from = in;
    float* copy = nullptr;
    if (in < out + n && out < in + n + 1) {
        CUDA_CHECK(cudaMalloc(&copy, (n + 1) * sizeof(float)));
        CUDA_CHECK(cudaMemcpy(copy, in, (n + 1) * sizeof(float), cudaMemcpyDeviceToDevice));
        from = copy;
    }
    differences_kernel<<<(n - 1) / 256 + 1, 256>>>(from, out, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(copy));
}
