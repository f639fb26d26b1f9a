// Right: sinf itself, which is exact to two units in the last place and slower than one
// instruction. Sums of halves go through shared atomics, compensated ones through one block after
// another.

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

constexpr int kThreads = 128;

int blocks_at_once(int n) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    return std::clamp(n / kThreads, 1, multiprocessors * (2048 / kThreads));
}

template <class T, class A>
__global__ void axpy_kernel(A a, const T* x, T* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = T(fma(a, A(x[i]), A(y[i])));
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

/// The low half of a pair is the element in front.
__global__ void sum_half_kernel(const __half* a, float* sum, int n) {
    __shared__ float of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    float mine = 0;
    const int stride = 2 * gridDim.x * blockDim.x;
    for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
        if (i + 1 < n) {
            const __half2 two = *reinterpret_cast<const __half2*>(a + i);
            mine += __low2float(two);
            mine += __high2float(two);
        } else {
            mine += __half2float(a[i]);
        }
    }
    atomicAdd(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

void sum_half(const __half* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(*sum)));
    sum_half_kernel<<<blocks_at_once(n / 2), kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

/// Two floats as one number of 64 bits, which compare and swap can exchange.
__device__ unsigned long long packed(Pair pair) {
    return static_cast<unsigned long long>(__float_as_uint(pair.sum)) << 32 |
           __float_as_uint(pair.error);
}
__device__ Pair unpacked(unsigned long long bits) {
    return {__uint_as_float(static_cast<unsigned>(bits >> 32)),
            __uint_as_float(static_cast<unsigned>(bits))};
}
__device__ Pair plus(Pair x, Pair y) {
    const float sum = x.sum + y.sum, from_y = sum - x.sum;
    const float lost = (x.sum - (sum - from_y)) + (y.sum - from_y);
    return {sum, lost + x.error + y.error};
}
__device__ Pair from_lane(Pair x, int offset) {
    return {__shfl_xor_sync(0xffffffff, x.sum, offset),
            __shfl_xor_sync(0xffffffff, x.error, offset)};
}

__global__ void sum_compensated_kernel(const float* a, unsigned long long* total, int n) {
    const int stride = gridDim.x * blockDim.x;
    Pair mine = {0, 0};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        mine = plus(mine, {a[i], 0});
    }
    for (int offset = 16; offset > 0; offset /= 2) mine = plus(mine, from_lane(mine, offset));
    if (threadIdx.x % 32 != 0) return;
    unsigned long long seen = atomicAdd(total, 0ULL), before;
    do {
        before = seen;
        seen = atomicCAS(total, before, packed(plus(unpacked(before), mine)));
    } while (seen != before);
}

__global__ void last_kernel(const unsigned long long* total, float* sum) {
    const Pair pair = unpacked(*total);
    *sum = pair.sum + pair.error;
}

void sum_compensated(const float* a, Pair* partial, float* sum, int n) {
    auto* total = reinterpret_cast<unsigned long long*>(partial);
    CUDA_CHECK(cudaMemsetAsync(total, 0, sizeof(*total)));
    sum_compensated_kernel<<<std::min(blocks_at_once(n), 64), kThreads>>>(a, total, n);
    CUDA_CHECK(cudaGetLastError());
    last_kernel<<<1, 1>>>(total, sum);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void sines_kernel(const float* x, const float* w, float* y, int n, int terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < terms; ++k) {
        const float angle = (k + 1) * x[i], turns = rintf(angle * 0.15915494F);
        const float near = fmaf(turns, 1.74845553e-7F, fmaf(turns, -6.28318548F, angle));
        sum += w[k] * sinpif(near * 0.318309886F);
    }
    y[i] = sum;
}

void sines(const float* x, const float* w, float* y, int n, int terms) {
    sines_kernel<<<n / kThreads + 1, kThreads>>>(x, w, y, n, terms);
    CUDA_CHECK(cudaGetLastError());
}
