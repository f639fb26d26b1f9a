// Wrong: correct, but loads through the read-only cache are still loads, in every step. (On an
// H200 it reached 0.86 of the reference: ptxas, which sees that nothing else is written, keeps the
// temperature in a register. The PTX that the virtual GPU runs loads and stores it in every step.)
//
// expect vgpu: "anneal: at least 0.3x the reference": "sectors"
// expect gpu: nothing

#include "pointer_aliasing.h"

__global__ void anneal_kernel(const float* start, const float* rate, const float* bath,
                              float* temperature, int n, int cycles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    temperature[i] = start[i];
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (int k = 0; k < kBaths; ++k) {
            temperature[i] += __ldg(&rate[k]) * (__ldg(&bath[k]) - temperature[i]);
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
