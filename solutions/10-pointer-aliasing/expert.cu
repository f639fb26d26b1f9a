// Lab 10, expert: with nothing left in the loop but arithmetic, the next step is less arithmetic.
//
//   baths    A bath maps a temperature by a straight line, t -> slope * t + shift. So do four of
//            them, one after the other, and so does any number of cycles.
//   cycles   The line of 2 c cycles is that of c cycles, twice. So c cycles cost log2(c) steps, and
//            the same few for each thread, while its numbers are on their way.
//   loads    16 bytes each, four elements a thread.
//
// What remains is to read each number once and to write it once.

#include "pointer_aliasing.h"

#include <cstddef>
#include <cstdint>

namespace {

constexpr int kThreads = 256;

/// t -> slope * t + shift
struct Line {
    float slope, shift;
};

__device__ Line one_after_the_other(Line first, Line second) {
    return {second.slope * first.slope, fmaf(second.slope, first.shift, second.shift)};
}

__device__ float at(Line line, float t) {
    return fmaf(line.slope, t, line.shift);
}

/// What `cycles` cycles do.
__device__ Line whole_line(const float* __restrict__ rate, const float* __restrict__ bath,
                           int cycles) {
    Line power = {1, 0};  // one cycle, then two, four, eight, ...
#pragma unroll
    for (int k = 0; k < kBaths; ++k) {
        power = one_after_the_other(power, {1 - rate[k], rate[k] * bath[k]});
    }
    Line line = {1, 0};
    for (; cycles > 0; cycles /= 2) {
        if (cycles % 2 == 1) line = one_after_the_other(line, power);
        power = one_after_the_other(power, power);
    }
    return line;
}

__global__ void __launch_bounds__(kThreads)
    anneal_vectors_kernel(const float* __restrict__ start, const float* __restrict__ rate,
                          const float* __restrict__ bath, float* __restrict__ temperature, int n,
                          int cycles) {
    const int i = blockIdx.x * kThreads + threadIdx.x, count = n / 4;
    float4 t = make_float4(0, 0, 0, 0);
    if (i < count) t = __ldcs(&reinterpret_cast<const float4*>(start)[i]);
    const Line line = whole_line(rate, bath, cycles);
    if (i < count) {
        __stcs(&reinterpret_cast<float4*>(temperature)[i],
               make_float4(at(line, t.x), at(line, t.y), at(line, t.z), at(line, t.w)));
    }
    if (i < n % 4) temperature[4 * count + i] = at(line, start[4 * count + i]);
}

__global__ void __launch_bounds__(kThreads)
    anneal_elements_kernel(const float* __restrict__ start, const float* __restrict__ rate,
                           const float* __restrict__ bath, float* __restrict__ temperature, int n,
                           int cycles) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) temperature[i] = at(whole_line(rate, bath, cycles), start[i]);
}

__global__ void differences_kernel(const float* in, float* out, int n) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) out[i] = in[i + 1] - in[i];
}

bool is_aligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

/// Whether a range of a_count elements at a and one of b_count elements at b share any.
template <class Position, class Count>
bool share(Position a, Count a_count, Position b, Count b_count) {
    return a < b + b_count && b < a + a_count;
}

}  // namespace

void anneal(const float* start, const float* rate, const float* bath, float* temperature, int n,
            int cycles) {
    if (n == 0) return;
    if (is_aligned(start) && is_aligned(temperature)) {
        anneal_vectors_kernel<<<n / 4 / kThreads + 1, kThreads>>>(start, rate, bath, temperature, n,
                                                                  cycles);
    } else {
        anneal_elements_kernel<<<(n - 1) / kThreads + 1, kThreads>>>(start, rate, bath, temperature,
                                                                     n, cycles);
    }
}

unsigned promise_breakers(const AnnealCall* calls, int count) {
    unsigned broken = 0;
    for (int k = 0; k < count; ++k) {
        const AnnealCall& call = calls[k];
        if (call.n == 0) continue;
        const bool breaks = share(call.temperature, call.n, call.start, call.n) ||
                            share(call.temperature, call.n, call.rate, kBaths) ||
                            share(call.temperature, call.n, call.bath, kBaths);
        broken |= static_cast<unsigned>(breaks) << k;
    }
    return broken;
}

void differences(const float* in, float* out, int n) {
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    const float* const written = out;
    if (!share(in, std::size_t{1} + n, written, std::size_t{0} + n)) {
        differences_kernel<<<blocks, kThreads>>>(in, out, n);
        return;
    }
    const std::size_t size_bytes = (n + std::size_t{1}) * sizeof(float);
    float* copy = nullptr;
    cudaMalloc(&copy, size_bytes);
    cudaMemcpy(copy, in, size_bytes, cudaMemcpyDeviceToDevice);
    differences_kernel<<<blocks, kThreads>>>(copy, out, n);
    cudaFree(copy);  // waits for the kernel
}
