// Right: CUB reduces the block, with an operator that it is given. Three template parameters for
// three flags; frames are inserted into a sorted array as they come.

#include "specialization.h"

#include <algorithm>
#include <cub/block/block_reduce.cuh>
#include <limits>

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

template <bool clamp, bool spreads, bool invert>
__global__ void run_kernel(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = x[i];
    if (clamp) value = fminf(fmaxf(value, 0.0F), 1.0F);
    if (spreads) value = spread(value);
    if (invert) value = 1 - value;
    y[i] = value;
}

template <bool... set>
static void run_with(const float* x, float* y, int n, unsigned flags) {
    if constexpr (sizeof...(set) == 3) {
        run_kernel<set...><<<blocks_for(n), kThreads>>>(x, y, n);
    } else if (flags & 1 << sizeof...(set)) {
        run_with<set..., true>(x, y, n, flags);
    } else {
        run_with<set..., false>(x, y, n, flags);
    }
}

void run(const float* x, float* y, int n, unsigned flags) {
    if (n > 0) run_with<>(x, y, n, flags);
}

template <int count>
__global__ void blend_kernel(const float* frames, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value[count];
#pragma unroll
    for (int k = 0; k < count; ++k) {
        float next = frames[k * n + i];
#pragma unroll
        for (int place = 0; place < k; ++place) {
            const float larger = max(value[place], next);
            value[place] = min(value[place], next);
            next = larger;
        }
        value[k] = next;
    }
    out[i] = value[(count - 1) / 2];
}

template <int count = kMostFrames>
static void blend_by(const float* frames, float* out, int n, int wanted) {
    if (wanted == count) {
        blend_kernel<count><<<blocks_for(n), kThreads>>>(frames, out, n);
    } else if constexpr (count > 1) {
        blend_by<count - 1>(frames, out, n, wanted);
    }
}

void blend(const float* frames, float* out, int n, int count) {
    if (n > 0) blend_by(frames, out, n, count);
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
    T mine = Op::identity();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
        mine = Op::combine(mine, a[i]);
    using Reduce = cub::BlockReduce<T, kThreads>;
    __shared__ typename Reduce::TempStorage scratch;
    mine = Reduce(scratch).Reduce(mine, [](T x, T y) { return Op::combine(x, y); });
    if (threadIdx.x == 0) results[blockIdx.x] = mine;
}

template <class Op, class T>
static void reduce(const T* a, T* partial, T* result, int n) {
    const int blocks = std::clamp(n / kThreads, 1, kMostBlocks);
    reduce_kernel<T, Op><<<blocks, kThreads>>>(a, partial, n);
    reduce_kernel<T, Op><<<1, kThreads>>>(partial, result, blocks);
}

template <class T>
static void reduce_by(const T* a, T* partial, T* result, int n, int op) {
    if (op == kSum) reduce<Sum<T>>(a, partial, result, n);
    if (op == kMaximum) reduce<Maximum<T>>(a, partial, result, n);
    if (op == kMinimum) reduce<Minimum<T>>(a, partial, result, n);
    if (op == kMagnitude) reduce<Magnitude<T>>(a, partial, result, n);
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
