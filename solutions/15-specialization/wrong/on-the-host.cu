// Wrong: computed on the host. The data are copied there, and only the answers come back. The
// kernels that are asked about are there, and have nothing to do.
//
// expect vgpu: "run: 32 registers without kSpread": "no kernel was launched"
// expect vgpu: "reduce_ints: four operators": "no kernel was launched"
// expect gpu: "blend: at least 0.1x the reference": "too slow"

#include "specialization.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

__global__ void run_kernel() {}
__global__ void blend_kernel() {}

template <class T>
static std::vector<T> copy_of(const T* data, int n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}

void run(const float* x, float* y, int n, unsigned flags) {
    std::vector<float> host = copy_of(x, n);
    for (float& value : host) {
        if (flags & kClamp) value = std::clamp(value, 0.0F, 1.0F);
        if (flags & kSpread) {
            float cell[48] = {value};
            for (int round = 0; round < 16; ++round) {
                const float first = cell[0];
                float left = cell[47];
                for (int k = 0; k < 48; ++k) {
                    const float mine = cell[k], right = k < 47 ? cell[k + 1] : first;
                    cell[k] = 0.25F * left + 0.5F * mine + 0.25F * right;
                    left = mine;
                }
            }
            value = 0;
            for (const float warmth : cell) value += warmth * warmth;
        }
        if (flags & kInvert) value = 1 - value;
    }
    cudaMemcpy(y, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

void blend(const float* frames, float* out, int n, int count) {
    const std::vector<float> host = copy_of(frames, n * count);
    std::vector<float> medians(n), pixel(count);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < count; ++k) pixel[k] = host[k * n + i];
        std::sort(pixel.begin(), pixel.end());
        medians[i] = pixel[(count - 1) / 2];
    }
    cudaMemcpy(out, medians.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

template <class T>
static void reduce(const T* a, T* result, int n, int op) {
    using Limits = std::numeric_limits<T>;
    T lowest = Limits::min(), highest = Limits::max();
    if (Limits::has_infinity) highest = Limits::infinity(), lowest = -highest;
    T found = op == kMaximum ? lowest : op == kMinimum ? highest : T{0};
    for (const T x : copy_of(a, n)) {
        if (op == kSum) found += x;
        if (op == kMaximum) found = std::max(found, x);
        if (op == kMinimum) found = std::min(found, x);
        if (op == kMagnitude) found = std::max(found, std::abs(x));
    }
    cudaMemcpy(result, &found, sizeof(T), cudaMemcpyHostToDevice);
}

void reduce_floats(const float* a, float*, float* result, int n, int op) {
    reduce(a, result, n, op);
}

void reduce_ints(const int* a, int*, int* result, int n, int op) {
    reduce(a, result, n, op);
}

int uses_local_memory(int) {
    return 0;
}
