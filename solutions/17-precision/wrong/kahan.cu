// Wrong: Kahan's sum in each thread. It takes the sum for the larger of the two; where the next
// element is larger, part of the sum is lost. Between threads nothing is lost.
//
// expect vgpu: "sum_compensated: although terms cancel": "Of what the additions lose, a part is missing"
// expect gpu: "sum_compensated: although terms cancel": "Of what the additions lose, a part is missing"

#include "precision.h"

#include <algorithm>
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

/// Blocks that have a thread for each of n elements: none for 0.
int blocks_for_each(int n) {
    return (n + kThreads - 1) / kThreads;
}

/// As many blocks as the GPU holds at once, but at least 1, and no more than `n`
/// elements have work for.
int blocks_at_once(int n) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int most = std::min(multiprocessors * (2048 / kThreads), kMostBlocks);
    return std::clamp(blocks_for_each(n), 1, most);
}

// ---------------------------------------------------------------------------
// Task 1: one kernel for four types. A is the type of the arithmetic:
//
//   T   float    double    __half    __nv_bfloat16
//   A   float    double    float     float

template <class T, class A>
__global__ void axpy_kernel(A a, const T* x, T* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = static_cast<T>(fma(a, static_cast<A>(x[i]), static_cast<A>(y[i])));
    }
}

template <class T, class A>
void axpy(A a, const T* x, T* y, int n) {
    if (n == 0) return;
    axpy_kernel<<<blocks_for_each(n), kThreads>>>(a, x, y, n);
    CUDA_CHECK(cudaGetLastError());
}

void axpy_float(float a, const float* x, float* y, int n) {
    axpy(a, x, y, n);
}
void axpy_double(double a, const double* x, double* y, int n) {
    axpy(a, x, y, n);
}
void axpy_half(float a, const __half* x, __half* y, int n) {
    axpy(a, x, y, n);
}
void axpy_bfloat(float a, const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
    axpy(a, x, y, n);
}

// ---------------------------------------------------------------------------
// Given: the sum of a block's `mine`, by the tree of lab 08, for every type that has
// a function add. All threads of the block call it and get the result.

__device__ float add(float x, float y) {
    return x + y;
}

template <class T>
__device__ T sum_of_block(T mine) {
    __shared__ T parts[kThreads];
    parts[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            parts[threadIdx.x] = add(parts[threadIdx.x], parts[threadIdx.x + half]);
        }
        __syncthreads();
    }
    return parts[0];
}

// ---------------------------------------------------------------------------
// Task 2: halves in memory, floats in registers.

__global__ void sum_half_kernel(const __half* a, float* sum, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    const __half2* pairs = reinterpret_cast<const __half2*>(a);
    float mine = 0;
    for (int i = first; i < n / 2; i += stride) {
        const float2 two = __half22float2(pairs[i]);
        mine += two.x + two.y;
    }
    if (n % 2 == 1 && first == 0) mine += __half2float(a[n - 1]);
    const float total = sum_of_block(static_cast<float>(mine));
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

void sum_half(const __half* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(*sum)));
    sum_half_kernel<<<blocks_at_once(n / 2), kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 3: a sum that remembers what it loses.

/// x + y exactly: `sum` is what a float holds of it, `error` is the rest.
__device__ Pair two_sum(float x, float y) {
    const float sum = x + y;
    const float y_part = sum - x, x_part = sum - y_part;
    return {sum, (x - x_part) + (y - y_part)};
}

/// The sum of two pairs.
__device__ Pair add(Pair x, Pair y) {
    const Pair both = two_sum(x.sum, y.sum);
    return {both.sum, both.error + (x.error + y.error)};
}

/// An element of the vector, or a block's sum, as a pair.
__device__ Pair as_pair(float x) {
    return {x, 0};
}
__device__ Pair as_pair(Pair x) {
    return x;
}

/// sums[b] = the sum of what block b looks at. T is float, then Pair.
template <class T>
__global__ void sum_compensated_kernel(const T* a, Pair* sums, int n) {
    const int stride = gridDim.x * blockDim.x;
    Pair mine = {0, 0};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const Pair next = as_pair(a[i]);
        const float corrected = next.sum + (mine.error + next.error);
        const float sum = mine.sum + corrected;
        mine = {sum, corrected - (sum - mine.sum)};
    }
    const Pair total = sum_of_block(mine);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__global__ void last_step_kernel(const Pair* pair, float* sum) {
    *sum = pair->sum + pair->error;
}

void sum_compensated(const float* a, Pair* partial, float* sum, int n) {
    const int blocks = blocks_at_once(n);
    sum_compensated_kernel<<<blocks, kThreads>>>(a, partial, n);
    CUDA_CHECK(cudaGetLastError());
    sum_compensated_kernel<<<1, kThreads>>>(partial, partial, blocks);
    CUDA_CHECK(cudaGetLastError());
    last_step_kernel<<<1, 1>>>(partial, sum);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 4: fast sines, where they are right.

/// sin(x), off by 2e-6 at most, for |x| <= 10,000.
__device__ float fast_sine(float x) {
    const float turns = rintf(x * 0.15915494F);        // 1 / (2 pi)
    const float near = fmaf(turns, -6.28318548F, x);   // 2 pi, as a float
    return __sinf(fmaf(turns, 1.74845553e-7F, near));  // what that float is too large by
}

__global__ void sines_kernel(const float* x, const float* w, float* y, int n, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < terms; ++k) {
        sum += w[k] * fast_sine((k + 1) * x[i]);
    }
    y[i] = sum;
}

void sines(const float* x, const float* w, float* y, int n, int terms) {
    if (n == 0) return;
    sines_kernel<<<blocks_for_each(n), kThreads>>>(x, w, y, n, terms);
    CUDA_CHECK(cudaGetLastError());
}
