// Right: a template function and two kernels that call it, one with and one without the expensive
// part. One kernel for every count of frames: missing ones are infinite, and the median is selected
// without an index. Operators are objects, passed to the kernel.

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

template <bool spreads>
__device__ void run_any(const float* x, float* y, int n, unsigned flags) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = x[i];
    if (flags & kClamp) value = __saturatef(value);
    if (spreads) value = spread(value);
    if (flags & kInvert) value = 1 - value;
    y[i] = value;
}
__global__ void run_with_spread(const float* x, float* y, int n, unsigned flags) {
    run_any<true>(x, y, n, flags);
}
__global__ void run_without_spread(const float* x, float* y, int n, unsigned flags) {
    run_any<false>(x, y, n, flags);
}

void run(const float* x, float* y, int n, unsigned flags) {
    if (n == 0) return;
    const auto kernel = flags & kSpread ? run_with_spread : run_without_spread;
    kernel<<<blocks_for(n), kThreads>>>(x, y, n, flags);
}

__global__ void blend_kernel(const float* frames, float* out, int n, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value[kMostFrames], median = 0;
#pragma unroll
    for (int k = 0; k < kMostFrames; ++k) {
        value[k] = k < count ? frames[k * n + i] : INFINITY;
    }
#pragma unroll
    for (int place = 0; place <= kMostFrames / 2; ++place) {
#pragma unroll
        for (int k = place + 1; k < kMostFrames; ++k) {
            const float smaller = fminf(value[place], value[k]);
            value[k] = fmaxf(value[place], value[k]);
            value[place] = smaller;
        }
        if (place == (count - 1) / 2) median = value[place];
    }
    out[i] = median;
}

void blend(const float* frames, float* out, int n, int count) {
    if (n > 0) blend_kernel<<<blocks_for(n), kThreads>>>(frames, out, n, count);
}

template <class T>
struct Sum {
    T identity = 0;
    __device__ T operator()(T x, T y) const { return x + y; }
};
template <class T>
struct Maximum {
    T identity = std::numeric_limits<T>::min();
    __device__ T operator()(T x, T y) const { return max(x, y); }
};
template <class T>
struct Minimum {
    T identity = std::numeric_limits<T>::max();
    __device__ T operator()(T x, T y) const { return min(x, y); }
};
template <class T>
struct Magnitude {
    T identity = 0;
    __device__ T operator()(T x, T y) const { return max(abs(x), abs(y)); }
};

template <class T, class Op>
__global__ void reduce_kernel(const T* a, T* results, int n, Op op) {
    const int stride = gridDim.x * blockDim.x;
    T mine = op.identity;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) mine = op(mine, a[i]);
    __shared__ T warps[32];
    for (int apart = 16; apart > 0; apart /= 2)
        mine = op(mine, __shfl_down_sync(0xffffffff, mine, apart));
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    mine = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : op.identity;
    for (int apart = 16; apart > 0; apart /= 2)
        mine = op(mine, __shfl_down_sync(0xffffffff, mine, apart));
    if (threadIdx.x == 0) results[blockIdx.x] = mine;
}

template <class T, class Op>
static void reduce(const T* a, T* partial, T* result, int n, Op op) {
    const int blocks = std::clamp(n / 512, 1, kMostBlocks);
    reduce_kernel<<<blocks, 512>>>(a, partial, n, op);
    reduce_kernel<<<1, 512>>>(partial, result, blocks, op);
}

void reduce_floats(const float* a, float* partial, float* result, int n, int op) {
    if (op == kSum) reduce(a, partial, result, n, Sum<float>{});
    if (op == kMaximum) reduce(a, partial, result, n, Maximum<float>{-INFINITY});
    if (op == kMinimum) reduce(a, partial, result, n, Minimum<float>{INFINITY});
    if (op == kMagnitude) reduce(a, partial, result, n, Magnitude<float>{});
}
void reduce_ints(const int* a, int* partial, int* result, int n, int op) {
    if (op == kSum) reduce(a, partial, result, n, Sum<int>{});
    if (op == kMaximum) reduce(a, partial, result, n, Maximum<int>{});
    if (op == kMinimum) reduce(a, partial, result, n, Minimum<int>{});
    if (op == kMagnitude) reduce(a, partial, result, n, Magnitude<int>{});
}

int uses_local_memory(int suspect) {
    constexpr int answers[] = {0, 1, 1, 0, 0, 1};
    return answers[suspect];
}
