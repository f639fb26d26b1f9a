// Right: another algorithm. The first pass finds the largest value, the second the smallest index
// that has it. Two atomics of 32 bits each, no pair, and the vector is read twice.

#include "argmax.h"

#include <algorithm>
#include <climits>
#include <cmath>

constexpr int kThreads = 256;
constexpr int kNoIndex = INT_MAX;

struct Halves {
    unsigned order;
    int index;
};
static_assert(sizeof(Halves) == sizeof(Best));

/// Larger for larger values, and the largest for NaN. Of nothing: 0.
static __device__ unsigned order_of(float value) {
    if (isnan(value)) return UINT_MAX;
    const unsigned bits = __float_as_uint(value == 0 ? 0.0F : value);
    return (bits & 0x80000000) != 0 ? ~bits : bits ^ 0x80000000;
}

static __global__ void start_kernel(Halves* halves) {
    *halves = {0, kNoIndex};
}

static __global__ void value_kernel(const float* a, Halves* halves, int n) {
    unsigned mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine = max(mine, order_of(a[i]));
    }
    mine = __reduce_max_sync(0xffffffff, mine);
    if (threadIdx.x % 32 == 0) atomicMax(&halves->order, mine);
}

static __global__ void index_kernel(const float* a, Halves* halves, int n) {
    const unsigned largest = halves->order;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (order_of(a[i]) == largest) {
            atomicMin(&halves->index, i);
            return;
        }
    }
}

static __global__ void finish_kernel(const float* a, const Halves* halves, Best* best) {
    const int i = halves->index;
    *best = i == kNoIndex ? Best{-INFINITY, -1} : Best{a[i], i};
}

static void search(const float* a, Halves* halves, Best* best, int n, int blocks) {
    start_kernel<<<1, 1>>>(halves);
    value_kernel<<<blocks, kThreads>>>(a, halves, n);
    index_kernel<<<blocks, kThreads>>>(a, halves, n);
    finish_kernel<<<1, 1>>>(a, halves, best);
}

void argmax_block(const float* a, Best* best, int n) {
    search(a, reinterpret_cast<Halves*>(best), best, n, 1);
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    search(a, reinterpret_cast<Halves*>(partial), best, n, std::clamp(n / kThreads, 1, 1056));
}

void argmax_packed(const float* a, unsigned long long* key, Best* best, int n) {
    search(a, reinterpret_cast<Halves*>(key), best, n, std::clamp(n / kThreads, 1, 1056));
}
