// Right, and as fast where doubles have half of a float's rate: the sums and the reduction of the
// angles are done in double. On most consumer cards, with 1/64 of the rate, it would be slow.

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

int blocks_at_once(int n) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    return std::clamp(n / kThreads, 1, multiprocessors * (2048 / kThreads));
}

/// In double, then rounded to T at once: for halves that is the same as by way of a float, nearly
/// always.
template <class T, class A>
__global__ void axpy_kernel(A a, const T* x, T* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if constexpr (sizeof(T) == 2) {
        const double sum =
            fma(static_cast<double>(a), static_cast<double>(static_cast<float>(x[i])),
                static_cast<double>(static_cast<float>(y[i])));
        y[i] = static_cast<T>(sum);
    } else {
        y[i] = a * x[i] + y[i];
    }
}

template <class T, class A>
void axpy(A a, const T* x, T* y, int n) {
    axpy_kernel<<<n / kThreads + 1, kThreads>>>(a, x, y, n);
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

/// One number a load.
template <class T>
__global__ void sum_kernel(const T* a, double* total, int n) {
    __shared__ double of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    double mine = 0;
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine += static_cast<float>(a[i]);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, of_block);
}

__global__ void to_float_kernel(const double* total, float* sum) {
    *sum = static_cast<float>(*total);
}

template <class T>
void sum_in_double(const T* a, double* total, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(total, 0, sizeof(*total)));
    sum_kernel<<<blocks_at_once(n), kThreads>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
    to_float_kernel<<<1, 1>>>(total, sum);
    CUDA_CHECK(cudaGetLastError());
}

__device__ double total_of_halves;

void sum_half(const __half* a, float* sum, int n) {
    void* total;
    CUDA_CHECK(cudaGetSymbolAddress(&total, total_of_halves));
    sum_in_double(a, static_cast<double*>(total), sum, n);
}

void sum_compensated(const float* a, Pair* partial, float* sum, int n) {
    sum_in_double(a, reinterpret_cast<double*>(partial), sum, n);
}

__global__ void sines_kernel(const float* x, const float* w, float* y, int n, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    const double turns = x[i] * 0.15915494309189535;
    for (int k = 0; k < terms; ++k) {
        const double part = (k + 1) * turns;
        sum += w[k] * __sinf(6.2831853F * static_cast<float>(part - rint(part)));
    }
    y[i] = static_cast<float>(sum);
}

void sines(const float* x, const float* w, float* y, int n, int terms) {
    sines_kernel<<<n / kThreads + 1, kThreads>>>(x, w, y, n, terms);
    CUDA_CHECK(cudaGetLastError());
}
