// Right: one block goes through the vectors in the direction that is safe, with a barrier between
// reading and writing.

#include "pointer_aliasing.h"

#include <cstdint>
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

struct Bath {
    float r, b;
    __host__ __device__ constexpr float operator()(float t) const { return t + r * (b - t); }
};
template <int N>
struct Baths {
    Bath v[N];
};
__global__ void ak4(const float* __restrict__ start, const float* __restrict__ rate,
                    const float* __restrict__ bath, float* __restrict__ temperature, int n,
                    int cycles) {
    Baths<kBaths> all;
#pragma unroll
    for (int k = 0; k < kBaths; ++k) all.v[k] = {rate[k], bath[k]};
    auto step = [&](float t) {
        for (int c = 0; c < cycles; ++c)
#pragma unroll
            for (int k = 0; k < kBaths; ++k) t = all.v[k](t);
        return t;
    };
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool vec = (((uintptr_t)start | (uintptr_t)temperature) & 15) == 0;
    if (vec) {
        if (i < n / 4) {
            float4 x = reinterpret_cast<const float4*>(start)[i];
            reinterpret_cast<float4*>(temperature)[i] =
                make_float4(step(x.x), step(x.y), step(x.z), step(x.w));
        }
        if (i < n % 4) temperature[n / 4 * 4 + i] = step(start[n / 4 * 4 + i]);
    } else
        for (int j = i; j < n; j += gridDim.x * blockDim.x) temperature[j] = step(start[j]);
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n) ak4<<<(n / 4 + 4 + 255) / 256, 256>>>(start, rate, bath, temperature, n, cycles);
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

__global__ void one_block(const float* in, float* out, int n) {
    // A single block goes up or down as memmove does; a barrier between reading and writing.
    const bool up = out <= in;
    for (int base = 0; base < n; base += blockDim.x) {
        const int j = base + threadIdx.x, i = up ? j : n - 1 - j;
        float d = 0;
        const bool is = j < n;
        if (is) d = in[i + 1] - in[i];
        __syncthreads();
        if (is) out[i] = d;
        __syncthreads();
    }
}

void differences(const float* in, float* out, int n) {
    if (n > 0) one_block<<<1, 1024>>>(in, out, n);
}
