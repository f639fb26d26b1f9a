// Right and slow: what speedups of lab 17 count from. One block adds up all elements, in double,
// and the sines are doubles, too.

#include "precision.h"

#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;

/// One block at least.
int blocks_for(int n) {
    return n / kThreads + 1;
}

template <class T, class A>
__global__ void axpy_kernel(A a, const T* x, T* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = static_cast<T>(fma(a, static_cast<A>(x[i]), static_cast<A>(y[i])));
}

template <class T, class A>
void axpy(A a, const T* x, T* y, int n) {
    axpy_kernel<<<blocks_for(n), kThreads>>>(a, x, y, n);
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

/// One block's threads share the elements, one half a load.
template <class T>
__global__ void sum_kernel(const T* a, float* sum, int n) {
    __shared__ double total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    double mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += static_cast<float>(a[i]);
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0) *sum = static_cast<float>(total);
}

void sum_half(const __half* a, float* sum, int n) {
    sum_kernel<<<1, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

void sum_compensated(const float* a, Pair*, float* sum, int n) {
    sum_kernel<<<1, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void sines_kernel(const float* x, const float* w, float* y, int n, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < terms; ++k) sum += w[k] * sinf((k + 1) * x[i]);
    y[i] = sum;
}

void sines(const float* x, const float* w, float* y, int n, int terms) {
    sines_kernel<<<blocks_for(n), kThreads>>>(x, w, y, n, terms);
    CUDA_CHECK(cudaGetLastError());
}
