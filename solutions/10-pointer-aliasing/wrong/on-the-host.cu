// Wrong: computed on the host. The parts travel, and no kernel runs.
//
// expect vgpu: "anneal: still the right temperatures": "no kernel was launched"
// expect gpu: "anneal: at least 0.3x the reference": "too slow"

#include "pointer_aliasing.h"

#include <vector>

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    std::vector<float> parts(n);
    float rates[kBaths], baths[kBaths];
    cudaMemcpy(parts.data(), start, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(rates, rate, sizeof(rates), cudaMemcpyDeviceToHost);
    cudaMemcpy(baths, bath, sizeof(baths), cudaMemcpyDeviceToHost);
    double slope = 1, shift = 0;
    for (int step = 0; step < cycles * kBaths; ++step) {
        const int k = step % kBaths;
        slope *= 1.0 - rates[k];
        shift += rates[k] * (baths[k] - shift);
    }
    for (float& t : parts) t = static_cast<float>(slope * t + shift);
    cudaMemcpy(temperature, parts.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

static bool share(int a, int a_count, int b, int b_count) {
    return a < b + b_count && b < a + a_count;
}

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    for (int k = 0; k < count; ++k) {
        const AnnealCall& call = calls[k];
        if (call.n == 0) continue;
        if (share(call.temperature, call.n, call.start, call.n) ||
            share(call.temperature, call.n, call.rate, kBaths) ||
            share(call.temperature, call.n, call.bath, kBaths)) {
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
    float* copy = nullptr;
    if (in < out + n && out < in + n + 1) {
        cudaMalloc(&copy, (n + 1) * sizeof(float));
        cudaMemcpy(copy, in, (n + 1) * sizeof(float), cudaMemcpyDeviceToDevice);
        in = copy;
    }
    differences_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
    if (copy != nullptr) cudaFree(copy);
}
