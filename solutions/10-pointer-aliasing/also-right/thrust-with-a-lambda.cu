// Right: Thrust: a copy in a device_vector, and a transform with a lambda of the device.

#include "pointer_aliasing.h"

#include <thrust/adjacent_difference.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>
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

__global__ void ak3(const float* __restrict__ start, const float* __restrict__ rate,
                    const float* __restrict__ bath, float* __restrict__ temperature, int n,
                    int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double a = 1, b = 0;
    for (int k = 0; k < kBaths; ++k) {
        a *= 1.0 - rate[k];
        b = b * (1.0 - rate[k]) + (double)rate[k] * bath[k];
    }
    double t = start[i];
    for (int c = 0; c < cycles; ++c) t = a * t + b;
    temperature[i] = t;
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n) ak3<<<(n - 1) / 256 + 1, 256>>>(start, rate, bath, temperature, n, cycles);
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
    thrust::device_vector<float> copy(thrust::device_pointer_cast(in),
                                      thrust::device_pointer_cast(in + n + 1));
    thrust::transform(copy.begin() + 1, copy.end(), copy.begin(), thrust::device_pointer_cast(out),
                      [] __device__(float a, float b) { return a - b; });
}
