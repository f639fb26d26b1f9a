// Lab 15, expert: loads and stores of 16 bytes, a median that forgets what it no longer needs, and
// a reduction with four loads in flight.

#include "specialization.h"

#include <algorithm>
#include <cstdint>
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

template <unsigned flags>
__device__ float changed(float value) {
    if (flags & kClamp) value = __saturatef(value);
    if (flags & kSpread) value = spread(value);
    if (flags & kInvert) value = 1 - value;
    return value;
}

/// Elements 4 i to 4 i + 3 where the addresses allow that; the cheap instances only.
template <unsigned flags>
__global__ void run_kernel(const float* x, float* y, int n, bool by_four) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((flags & kSpread) != 0 || !by_four) {
        if (i < n) y[i] = changed<flags>(x[i]);
        return;
    }
    if (i < n / 4) {
        float4 four = reinterpret_cast<const float4*>(x)[i];
        four.x = changed<flags>(four.x), four.y = changed<flags>(four.y);
        four.z = changed<flags>(four.z), four.w = changed<flags>(four.w);
        reinterpret_cast<float4*>(y)[i] = four;
    }
    const int rest = n / 4 * 4 + i;
    if (rest < n) y[rest] = changed<flags>(x[rest]);
}

static bool is_aligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

void run(const float* x, float* y, int n, unsigned flags) {
    if (n == 0) return;
    using Kernel = void (*)(const float*, float*, int, bool);
    constexpr Kernel kernels[kFlags] = {run_kernel<0>, run_kernel<1>, run_kernel<2>, run_kernel<3>,
                                        run_kernel<4>, run_kernel<5>, run_kernel<6>, run_kernel<7>};
    const bool by_four = (flags & kSpread) == 0 && is_aligned(x) && is_aligned(y) && n >= 4;
    kernels[flags]<<<blocks_for(by_four ? n / 4 : n), kThreads>>>(x, y, n, by_four);
}

__device__ void order(float& x, float& y) {
    const float smaller = fminf(x, y);
    y = fmaxf(x, y);
    x = smaller;
}

/// Takes just over half of the values. The smallest and the largest of them cannot be the median:
/// both leave, and the next value comes in, until all have been there.
template <int count>
__global__ void blend_kernel(const float* frames, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value[count];
#pragma unroll
    for (int k = 0; k < count; ++k) value[k] = frames[k * n + i];
    // Of an even count the smaller middle one: as if one more value, below all, were there.
    constexpr int kAll = count % 2 == 0 ? count + 1 : count, kHeld = kAll / 2 + 2;
    float held[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld && k < kAll; ++k) {
        held[k] = k < count ? value[k] : -INFINITY;
    }
    int size = kHeld < kAll ? kHeld : kAll;
    int next = size;
#pragma unroll
    for (int round = 0; round < kAll; ++round) {
        if (size < 3) break;
#pragma unroll
        for (int k = 1; k < kHeld; ++k) {
            if (k < size) order(held[0], held[k]);
        }
#pragma unroll
        for (int k = 1; k + 1 < kHeld; ++k) {
            if (k + 1 < size) order(held[k], held[size - 1]);
        }
        // The largest is last and leaves; the place of the smallest goes to the next value.
        if (next < kAll) {
            held[0] = next < count ? value[next] : -INFINITY;
            size -= 1;
            ++next;
        } else {
            held[0] = held[size - 2];
            size -= 2;
        }
    }
    out[i] = size == 2 ? fminf(held[0], held[1]) : held[0];
}

void blend(const float* frames, float* out, int n, int count) {
    if (n == 0) return;
    using Kernel = void (*)(const float*, float*, int);
    constexpr Kernel kernels[kMostFrames] = {blend_kernel<1>, blend_kernel<2>, blend_kernel<3>,
                                             blend_kernel<4>, blend_kernel<5>, blend_kernel<6>,
                                             blend_kernel<7>, blend_kernel<8>, blend_kernel<9>};
    kernels[count - 1]<<<blocks_for(n), kThreads>>>(frames, out, n);
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

template <class Op, class T>
__device__ T of_warp(T mine) {
    for (int apart = 16; apart > 0; apart /= 2)
        mine = Op::combine(mine, __shfl_down_sync(0xffffffff, mine, apart));
    return mine;
}

template <class T>
struct alignas(16) Four {
    T x, y, z, w;
};

template <class T, class Op>
__global__ void reduce_kernel(const T* a, T* results, int n, bool by_four) {
    const int thread = blockIdx.x * kThreads + threadIdx.x, stride = gridDim.x * kThreads;
    T mine = Op::identity();
    const int fours = by_four ? n / 4 : 0;
    const auto* four = reinterpret_cast<const Four<T>*>(a);
#pragma unroll 4
    for (int i = thread; i < fours; i += stride) {
        const Four<T> next = four[i];
        mine = Op::combine(mine,
                           Op::combine(Op::combine(next.x, next.y), Op::combine(next.z, next.w)));
    }
    for (int i = 4 * fours + thread; i < n; i += stride) mine = Op::combine(mine, a[i]);
    __shared__ T warps[kThreads / 32];
    mine = of_warp<Op>(mine);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    mine = of_warp<Op>(threadIdx.x < kThreads / 32 ? warps[threadIdx.x] : Op::identity());
    if (threadIdx.x == 0) results[blockIdx.x] = mine;
}

template <class Op, class T>
static void reduce(const T* a, T* partial, T* result, int n) {
    const int blocks = std::clamp(n / (4 * kThreads), 1, kMostBlocks);
    reduce_kernel<T, Op><<<blocks, kThreads>>>(a, partial, n, is_aligned(a));
    reduce_kernel<T, Op><<<1, kThreads>>>(partial, result, blocks, false);
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
