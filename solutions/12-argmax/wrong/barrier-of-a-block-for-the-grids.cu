// Wrong: the published program with many blocks. The barrier between the atomic maximum and the
// comparison is one block's. A block that comes early finds its own maximum in `largest`, and
// stores an element that others have beaten. And equal maxima race for the index.
//
// expect vgpu: "argmax: any number of elements": "nothing orders the two"
// expect gpu: "argmax: any number of elements": "of best"

#include "argmax.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

// ---------------------------------------------------------------------------
// Error checking: every CUDA call goes through CUDA_CHECK.

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;  // a block: a power of two, for the tree
inline constexpr int kWarp = 32;

// ---------------------------------------------------------------------------
// Task 1: which of two elements is better?

/// What a search begins with. Every element wins against it.
__device__ Best nothing() {
    return {-INFINITY, -1};
}

/// Whether x is better than y.
__device__ bool wins(Best x, Best y) {
    if (isnan(x.value) != isnan(y.value)) return isnan(x.value);
    if (x.value > y.value || x.value < y.value) return x.value > y.value;
    // Two equal values, or two NaNs. As unsigned, -1 is the largest number.
    return static_cast<unsigned>(x.index) < static_cast<unsigned>(y.index);
}

/// Element i of the vector, or of the blocks' bests.
__device__ Best element(const float* a, int i) {
    return {a[i], i};
}
__device__ Best element(const Best* partial, int i) {
    return partial[i];
}

/// The best of this thread's elements: every stride-th, in the whole grid.
template <class T>
__device__ Best best_of_thread(const T* a, int n) {
    const int stride = gridDim.x * blockDim.x;
    Best mine = nothing();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const Best other = element(a, i);
        if (wins(other, mine)) mine = other;
    }
    return mine;
}

// ---------------------------------------------------------------------------
// Task 2: one block, through shared memory.

__global__ void argmax_block_kernel(const float* a, Best* best, int n) {
    Best mine = best_of_thread(a, n);
    __shared__ Best bests[kThreads];
    bests[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const Best other = bests[threadIdx.x + half];
            if (wins(other, mine)) mine = other;
            bests[threadIdx.x] = mine;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *best = mine;
}

void argmax_block(const float* a, Best* best, int n) {
    const int threads = kThreads;
    argmax_block_kernel<<<1, threads>>>(a, best, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 3: many blocks. Each leaves its best, then one block finds the best of those.

/// As many blocks as the GPU holds at once, but at least 1, and no more than `n`
/// elements have work for.
int blocks_for(int n) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int most = std::min(multiprocessors * (2048 / kThreads), kMostBlocks);
    return std::clamp((n - 1) / kThreads + 1, 1, most);
}

/// Grows with the value; the largest for NaN.
__device__ unsigned order_of(float value) {
    if (isnan(value)) return 0xffffffff;
    const unsigned bits = __float_as_uint(value == 0.0F ? 0.0F : value);
    return bits >> 31 ? ~bits : bits | 0x80000000;
}

__global__ void start_kernel(unsigned* largest, Best* best) {
    *largest = 0;
    *best = nothing();
}

__global__ void argmax_kernel(const float* a, unsigned* largest, Best* best, int n) {
    const Best mine = best_of_thread(a, n);
    const unsigned order = order_of(mine.value);
    atomicMax(largest, order);
    __syncthreads();
    if (order == *largest && mine.index >= 0) *best = mine;
}

void argmax(const float* a, Best* partial, Best* best, int n) {
    auto* const largest = reinterpret_cast<unsigned*>(partial);
    start_kernel<<<1, 1>>>(largest, best);
    CUDA_CHECK(cudaGetLastError());
    argmax_kernel<<<blocks_for(n), kThreads>>>(a, largest, best, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 4: value and index in one number, of 64 bits, which atomicMax can compare.
//
//   key   [ 63 ... value, so that larger is better ... 32 | 31 ... index ... 0 ]

/// A key for element i: of two, the larger is the better element. Never 0.
__device__ unsigned long long key_of(float value, int i) {
    unsigned bits = __float_as_uint(value == 0.0F ? 0.0F : value);  // -0 becomes 0
    bits = bits >> 31 ? ~bits : bits | 0x80000000;
    if (isnan(value)) bits = 0xffffffff;
    return static_cast<unsigned long long>(bits) << 32 | ~static_cast<unsigned>(i);
}

/// The index in a key. Of 0, the key of no element: -1.
__device__ int index_of(unsigned long long key) {
    return static_cast<int>(~static_cast<unsigned>(key));
}

__global__ void argmax_packed_kernel(const float* a, unsigned long long* key, int n) {
    const int stride = gridDim.x * blockDim.x;
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine = max(mine, key_of(a[i], i));
    }
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        mine = max(mine, __shfl_down_sync(0xffffffff, mine, offset));
    }
    if (threadIdx.x % kWarp == 0) atomicMax(key, mine);
}

__global__ void unpack_kernel(const float* a, const unsigned long long* key, Best* best) {
    const int i = index_of(*key);
    *best = i < 0 ? nothing() : element(a, i);
}

void argmax_packed(const float* a, unsigned long long* key, Best* best, int n) {
    CUDA_CHECK(cudaMemsetAsync(key, 0, sizeof(*key)));  // smaller than every key
    argmax_packed_kernel<<<blocks_for(n), kThreads>>>(a, key, n);
    CUDA_CHECK(cudaGetLastError());
    unpack_kernel<<<1, 1>>>(a, key, best);
    CUDA_CHECK(cudaGetLastError());
}
