// Right: one half a load, in more blocks than the GPU holds at once; Kahan's formula with the
// larger one in front; the sines' angles in units of 1/16, whose turns are counted exactly in
// integers.

#include "precision.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;

template <class T, class A>
__global__ void axpy_kernel(A a, const T* x, T* y, int n) {
    for (int i = threadIdx.x; i < 4 * blockDim.x; i += blockDim.x) {
        const int at = 4 * blockIdx.x * blockDim.x + i;
        if (at < n) y[at] = static_cast<T>(fma(static_cast<A>(x[at]), a, static_cast<A>(y[at])));
    }
}

template <class T, class A>
void axpy(A a, const T* x, T* y, int n) {
    axpy_kernel<<<n / (4 * kThreads) + 1, kThreads>>>(a, x, y, n);
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

__device__ float add(float x, float y) {
    return x + y;
}
__device__ Pair add(Pair x, Pair y) {
    const float large = fabsf(x.sum) < fabsf(y.sum) ? y.sum : x.sum;
    const float small = fabsf(x.sum) < fabsf(y.sum) ? x.sum : y.sum;
    const float sum = large + small;
    return {sum, x.error + y.error + (small - (sum - large))};
}

template <class T>
__device__ T sum_of_block(T mine) {
    __shared__ T parts[kThreads];
    parts[threadIdx.x] = mine;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) mine = parts[threadIdx.x] = add(mine, parts[threadIdx.x + half]);
    }
    return mine;  // thread 0's is right
}

constexpr int kEach = 16;  // elements a thread

__global__ void sum_half_kernel(const __half* a, float* sum, int n) {
    float mine = 0;
    for (int k = 0; k < kEach; ++k) {
        const int i = (kEach * blockIdx.x + k) * kThreads + threadIdx.x;
        if (i < n) mine += __half2float(a[i]);
    }
    const float total = sum_of_block(mine);
    if (threadIdx.x == 0) atomicAdd(sum, total);
}

void sum_half(const __half* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(*sum)));
    sum_half_kernel<<<n / (kEach * kThreads) + 1, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void sum_compensated_kernel(const float* a, Pair* sums, int n) {
    Pair mine = {0, 0};
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
        mine = add(mine, {a[i], 0});
    }
    const Pair total = sum_of_block(mine);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__global__ void last_kernel(const Pair* sums, float* sum, int blocks) {
    Pair total = {0, 0};
    for (int b = 0; b < blocks; ++b) total = add(total, sums[b]);
    *sum = total.sum + total.error;
}

void sum_compensated(const float* a, Pair* partial, float* sum, int n) {
    const int blocks = std::min(n / kThreads + 1, 200);
    sum_compensated_kernel<<<blocks, kThreads>>>(a, partial, n);
    CUDA_CHECK(cudaGetLastError());
    last_kernel<<<1, 1>>>(partial, sum, blocks);
    CUDA_CHECK(cudaGetLastError());
}

/// Turns are counted in 2^-32: what an unsigned number forgets are whole turns.
__global__ void sines_kernel(const float* x, const float* w, float* y, int n, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int angle = static_cast<int>(x[i] * 16);
    constexpr unsigned long long kStep = 716770142402832ULL;  // 1/16 in turns, times 2^56
    float sum = 0;
    for (int k = 1; k <= terms; ++k) {
        const unsigned turns =
            static_cast<unsigned>(static_cast<unsigned long long>(k * angle) * kStep >> 24);
        const float part = static_cast<int>(turns) * 2.32830644e-10F;  // 2^-32, from -1/2 to 1/2
        sum += w[k - 1] * __sinf(6.2831853F * part);
    }
    y[i] = sum;
}

void sines(const float* x, const float* w, float* y, int n, int terms) {
    sines_kernel<<<n / kThreads + 1, kThreads>>>(x, w, y, n, terms);
    CUDA_CHECK(cudaGetLastError());
}
