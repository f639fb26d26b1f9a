// Lab 12, baseline: right, and slow. Each thread looks at a row of 32 elements of its own, which no
// two neighbours share a sector for, and all threads stand in line for one 64-bit word in global
// memory: value and index side by side, replaced by compare and swap.

#include "argmax.h"

#include <cmath>

constexpr int kRow = 32;  // elements

static __device__ bool wins(Best x, Best y) {
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value || x.value < y.value) return x.value > y.value;
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
}

static __device__ unsigned long long word_of(Best best) {
    return static_cast<unsigned long long>(static_cast<unsigned>(best.index)) << 32 |
           __float_as_uint(best.value);
}

static __device__ Best best_of(unsigned long long word) {
    return {__uint_as_float(static_cast<unsigned>(word)), static_cast<int>(word >> 32)};
}

static __global__ void start_kernel(unsigned long long* word) {
    *word = word_of({-INFINITY, -1});
}

static __global__ void argmax_kernel(const float* a, unsigned long long* word, int n) {
    const long long threads = 1LL * gridDim.x * blockDim.x;
    const long long thread = 1LL * blockIdx.x * blockDim.x + threadIdx.x;
    for (long long begin = thread * kRow; begin < n; begin += threads * kRow) {
        Best mine = {-INFINITY, -1};
        for (long long i = begin; i < begin + kRow && i < n; ++i) {
            const Best other = {a[i], static_cast<int>(i)};
            if (wins(other, mine)) mine = other;
        }
        unsigned long long seen = atomicAdd(word, 0);
        while (wins(mine, best_of(seen))) {
            const unsigned long long found = atomicCAS(word, seen, word_of(mine));
            if (found == seen) break;
            seen = found;
        }
    }
}

static __global__ void store_kernel(const unsigned long long* word, Best* best) {
    *best = best_of(*word);
}

static void search(const float* a, unsigned long long* word, int n, int blocks) {
    start_kernel<<<1, 1>>>(word);
    argmax_kernel<<<blocks, 256>>>(a, word, n);
}

void argmax_block(const float* a, Best* best, int n) {
    // *best has the 8 bytes of the word, which is unpacked in place.
    auto* const word = reinterpret_cast<unsigned long long*>(best);
    search(a, word, n, 1);
    store_kernel<<<1, 1>>>(word, best);
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    auto* const word = reinterpret_cast<unsigned long long*>(partial);
    search(a, word, n, n / kRow / 256 + 1);
    store_kernel<<<1, 1>>>(word, best);
}

void argmax_packed(const float* a, unsigned long long* key, Best* best, int n) {
    search(a, key, n, n / kRow / 256 + 1);
    store_kernel<<<1, 1>>>(key, best);
}
