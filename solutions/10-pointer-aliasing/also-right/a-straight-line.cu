// Right: a cycle maps a temperature by a straight line, so its slope and shift are computed first,
// and a cycle is one multiply-add. Another order of summation; and promise_breakers marks every
// element in a table.

#include "pointer_aliasing.h"

#include <set>

__global__ void anneal_kernel(const float* start, const float* rate, const float* bath,
                              float* temperature, int n, int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float slope = 1, shift = 0;
    for (int k = 0; k < kBaths; ++k) {
        slope *= 1 - rate[k];
        shift = (1 - rate[k]) * shift + rate[k] * bath[k];
    }
    float t = start[i];
    for (int cycle = 0; cycle < cycles; ++cycle) t = slope * t + shift;
    temperature[i] = t;
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    anneal_kernel<<<(n + 255) / 256, 256>>>(start, rate, bath, temperature, n, cycles);
}

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    for (int k = 0; k < count; ++k) {
        const AnnealCall& call = calls[k];
        std::set<int> read;
        for (int i = 0; i < call.n; ++i) read.insert(call.start + i);
        for (int j = 0; j < kBaths; ++j) {
            read.insert(call.rate + j);
            read.insert(call.bath + j);
        }
        bool meets = false;
        for (int i = 0; i < call.n; ++i) meets = meets || read.count(call.temperature + i) == 1;
        broken |= static_cast<unsigned>(meets) << k;
    }
    return broken;
}

__global__ void differences_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + 1] - in[i];
}

void differences(const float* in, float* out, int n) {
    if (n == 0) return;
    float* copy = nullptr;
    if (in < out + n && out < in + n + 1) {
        cudaMalloc(&copy, (n + 1) * sizeof(float));
        cudaMemcpy(copy, in, (n + 1) * sizeof(float), cudaMemcpyDeviceToDevice);
        in = copy;
    }
    differences_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
    if (copy != nullptr) cudaFree(copy);
}
