// Right: atomics on every level. The threads of a block stand in line for a key in shared memory,
// and one of them passes it on. (A key that sorts the other way round: the smallest wins.)

#include "argmax.h"

#include <algorithm>
#include <climits>
#include <cmath>

constexpr int kThreads = 512;
constexpr unsigned long long kNone = ULLONG_MAX;

/// The smaller the key, the better the element.
static __device__ unsigned long long key_of(float value, int i) {
    const int bits = __float_as_int(value + 0.0F);  // -0 + 0 is 0
    unsigned order = bits < 0 ? static_cast<unsigned>(bits) : 0x7fffffffU - bits;
    if (value != value) order = 0;
    return static_cast<unsigned long long>(order) << 32 | static_cast<unsigned>(i);
}

static __global__ void start_kernel(unsigned long long* key) {
    *key = kNone;
}

static __global__ void argmax_kernel(const float* a, unsigned long long* key, int n) {
    __shared__ unsigned long long of_block;
    if (threadIdx.x == 0) of_block = kNone;
    __syncthreads();
    unsigned long long mine = kNone;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine = min(mine, key_of(a[i], i));
    }
    atomicMin(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicMin(key, of_block);
}

static __global__ void unpack_kernel(const float* a, const unsigned long long* key, Best* best) {
    const unsigned long long found = *key;
    const int i = static_cast<int>(found & 0xffffffffU);
    *best = found == kNone ? Best{-INFINITY, -1} : Best{a[i], i};
}

static void search(const float* a, unsigned long long* key, Best* best, int n, int blocks) {
    start_kernel<<<1, 1>>>(key);
    argmax_kernel<<<blocks, kThreads>>>(a, key, n);
    unpack_kernel<<<1, 1>>>(a, key, best);
}

void argmax_block(const float* a, Best* best, int n) {
    // The key and the answer need 8 bytes each, and the answer is stored after the key was read.
    search(a, reinterpret_cast<unsigned long long*>(best), best, n, 1);
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    search(a, reinterpret_cast<unsigned long long*>(partial), best, n,
           std::clamp(n / kThreads, 1, 528));
}

void argmax_packed(const float* a, unsigned long long* key, Best* best, int n) {
    search(a, key, best, n, std::clamp(n / kThreads, 1, 528));
}
