// Right: run-time values become types by a function that calls a generic lambda, as the dispatch
// macros of libraries do. The median is the value that half of the others are below.

#include "specialization.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

constexpr int kThreads = 256;

static int blocks_for(int n) {
    return (n - 1) / kThreads + 1;
}

__device__ float spread(float x) {
    constexpr int kCells = 48;
    float cell[kCells] = {x};
#pragma unroll 1
    for (int round = 0; round < 16; ++round) {
        const float first = cell[0];
        float left = cell[kCells - 1];
#pragma unroll
        for (int k = 0; k < kCells; ++k) {
            const float mine = cell[k], right = k + 1 < kCells ? cell[k + 1] : first;
            cell[k] = 0.25F * left + 0.5F * mine + 0.25F * right;
            left = mine;
        }
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kCells; ++k) sum += cell[k] * cell[k];
    return sum;
}
template <class T>
constexpr T kLowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                           : std::numeric_limits<T>::min();
template <class T>
constexpr T kHighest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::max();

/// Calls work(integral_constant<int, value>) for a value from 0 to kEnd - 1.
template <int kEnd, class Work>
static void with_constant(int value, Work work) {
    if constexpr (kEnd > 0) {
        if (value == kEnd - 1)
            work(std::integral_constant<int, kEnd - 1>{});
        else
            with_constant<kEnd - 1>(value, work);
    }
}

template <int kFlagsSet>
__global__ void run_kernel(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = x[i];
    if constexpr ((kFlagsSet & kClamp) != 0) value = fminf(fmaxf(value, 0.0F), 1.0F);
    if constexpr ((kFlagsSet & kSpread) != 0) value = spread(value);
    if constexpr ((kFlagsSet & kInvert) != 0) value = 1 - value;
    y[i] = value;
}

void run(const float* x, float* y, int n, unsigned flags) {
    if (n == 0) return;
    with_constant<kFlags>(static_cast<int>(flags), [&](auto set) {
        run_kernel<decltype(set)::value><<<blocks_for(n), kThreads>>>(x, y, n);
    });
}

/// Equal values count as below each other in the order of their frames.
template <int kCount>
__global__ void blend_kernel(const float* frames, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value[kCount], median = 0;
    for (int k = 0; k < kCount; ++k) value[k] = frames[k * n + i];
    for (int k = 0; k < kCount; ++k) {
        int below = 0;
        for (int other = 0; other < kCount; ++other)
            below += other < k ? value[other] <= value[k] : value[other] < value[k];
        if (below == (kCount - 1) / 2) median = value[k];
    }
    out[i] = median;
}

void blend(const float* frames, float* out, int n, int count) {
    if (n == 0) return;
    with_constant<kMostFrames>(count - 1, [&](auto last) {
        blend_kernel<decltype(last)::value + 1><<<blocks_for(n), kThreads>>>(frames, out, n);
    });
}

template <class T>
struct Sum {
    static __device__ T identity() { return 0; }
    static __device__ T combine(T x, T y) { return x + y; }
};
template <class T>
struct Maximum {
    static __device__ T identity() { return kLowest<T>; }
    static __device__ T combine(T x, T y) { return x > y ? x : y; }
};
template <class T>
struct Minimum {
    static __device__ T identity() { return kHighest<T>; }
    static __device__ T combine(T x, T y) { return x < y ? x : y; }
};
template <class T>
struct Magnitude {
    static __device__ T identity() { return 0; }
    static __device__ T combine(T x, T y) { return Maximum<T>::combine(abs(x), abs(y)); }
};

template <class T, class Op>
__global__ void reduce_kernel(const T* a, T* results, int n) {
    __shared__ T values[kThreads];
    T mine = Op::identity();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        mine = Op::combine(mine, a[i]);
    values[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            values[threadIdx.x] = Op::combine(values[threadIdx.x], values[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) results[blockIdx.x] = values[0];
}

template <class T>
static void reduce_by(const T* a, T* partial, T* result, int n, int op) {
    const int blocks = std::clamp(n / kThreads, 1, kMostBlocks);
    const auto with = [&](auto chosen) {
        using Op = decltype(chosen);
        reduce_kernel<T, Op><<<blocks, kThreads>>>(a, partial, n);
        reduce_kernel<T, Op><<<1, kThreads>>>(partial, result, blocks);
    };
    switch (op) {
        case kSum:
            return with(Sum<T>{});
        case kMaximum:
            return with(Maximum<T>{});
        case kMinimum:
            return with(Minimum<T>{});
        case kMagnitude:
            return with(Magnitude<T>{});
    }
}

void reduce_floats(const float* a, float* partial, float* result, int n, int op) {
    reduce_by(a, partial, result, n, op);
}
void reduce_ints(const int* a, int* partial, int* result, int n, int op) {
    reduce_by(a, partial, result, n, op);
}

int uses_local_memory(int suspect) {
    constexpr int answers[] = {0, 1, 1, 0, 0, 1};
    return answers[suspect];
}
