// Right: all kernels loop over elements, and the launches have a limit of blocks. A flag of
// __constant__ memory decides about the cheap parts. The operator is a template parameter of
// function type.

#include "specialization.h"

#include <algorithm>
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

constexpr int kBlocks = 1024;

__constant__ unsigned cheap_flags;

template <bool spreads>
__global__ void run_kernel(const float* x, float* y, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float value = x[i];
        if (cheap_flags & kClamp) value = fminf(fmaxf(value, 0.0F), 1.0F);
        if (spreads) value = spread(value);
        if (cheap_flags & kInvert) value = 1 - value;
        y[i] = value;
    }
}

void run(const float* x, float* y, int n, unsigned flags) {
    if (n == 0) return;
    cudaMemcpyToSymbol(cheap_flags, &flags, sizeof(flags));
    const auto kernel = flags & kSpread ? run_kernel<true> : run_kernel<false>;
    kernel<<<std::min(blocks_for(n), kBlocks), kThreads>>>(x, y, n);
}

__device__ void order(float& x, float& y) {
    const float smaller = fminf(x, y);
    y = fmaxf(x, y);
    x = smaller;
}

template <int count>
__global__ void blend_kernel(const float* frames, float* out, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float value[count];
#pragma unroll
        for (int k = 0; k < count; ++k) value[k] = frames[k * n + i];
#pragma unroll
        for (int round = 0; round < count; ++round) {
#pragma unroll
            for (int k = round % 2; k + 1 < count; k += 2) order(value[k], value[k + 1]);
        }
        out[i] = value[(count - 1) / 2];
    }
}

void blend(const float* frames, float* out, int n, int count) {
    if (n == 0) return;
    using Kernel = void (*)(const float*, float*, int);
    constexpr Kernel kernels[] = {
        nullptr,         blend_kernel<1>, blend_kernel<2>, blend_kernel<3>, blend_kernel<4>,
        blend_kernel<5>, blend_kernel<6>, blend_kernel<7>, blend_kernel<8>, blend_kernel<9>};
    kernels[count]<<<std::min(blocks_for(n), kBlocks), kThreads>>>(frames, out, n);
}

template <class T>
__device__ T sum(T x, T y) {
    return x + y;
}
template <class T>
__device__ T larger(T x, T y) {
    return max(x, y);
}
template <class T>
__device__ T smaller(T x, T y) {
    return min(x, y);
}
template <class T>
__device__ T magnitude(T x, T y) {
    return max(abs(x), abs(y));
}

template <class T, T (*combine)(T, T)>
__global__ void reduce_kernel(const T* a, T* results, int n, T identity) {
    __shared__ T values[kThreads];
    const int stride = gridDim.x * blockDim.x;
    T mine = identity;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        mine = combine(mine, a[i]);
    values[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            values[threadIdx.x] = combine(values[threadIdx.x], values[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) results[blockIdx.x] = values[0];
}

template <class T, T (*combine)(T, T)>
static void reduce(const T* a, T* partial, T* result, int n, T identity) {
    const int blocks = std::clamp(n / kThreads, 1, kMostBlocks);
    reduce_kernel<T, combine><<<blocks, kThreads>>>(a, partial, n, identity);
    reduce_kernel<T, combine><<<1, kThreads>>>(partial, result, blocks, identity);
}

template <class T>
static void reduce_by(const T* a, T* partial, T* result, int n, int op) {
    if (op == kSum) reduce<T, sum<T>>(a, partial, result, n, 0);
    if (op == kMaximum) reduce<T, larger<T>>(a, partial, result, n, kLowest<T>);
    if (op == kMinimum) reduce<T, smaller<T>>(a, partial, result, n, kHighest<T>);
    if (op == kMagnitude) reduce<T, magnitude<T>>(a, partial, result, n, 0);
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
