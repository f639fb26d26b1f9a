// Wrong: a hang in the kernel. The inner loop counts the wrong variable.
//
// expect vgpu: "anneal: still the right temperatures": "never finished"
// expect gpu: "anneal: still the right temperatures": "never ended"

#include "pointer_aliasing.h"

__global__ void anneal_kernel(const float* __restrict__ start, const float* __restrict__ rate,
                              const float* __restrict__ bath, float* __restrict__ temperature,
                              int n, int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    temperature[i] = start[i];
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = 0; k < kBaths; ++cycle) {
            temperature[i] += rate[k] * (bath[k] - temperature[i]);
        }
    }
}

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    anneal_kernel<<<(n + 255) / 256, 256>>>(start, rate, bath, temperature, n, cycles);
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
