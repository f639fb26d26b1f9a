// Wrong: precision. Each thread adds in half precision, which ends at 65504.
//
// expect vgpu: "sum_fast: any number of elements": "which ends at 65504"
// expect gpu: "sum_fast: any number of elements": "which ends at 65504"

#include "reduction_hybrid.h"

#include <cuda_fp16.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

constexpr int kThreads = 256;  // a block: a power of two, for the tree
constexpr int kWarp = 32;

__global__ void sum_hybrid_kernel(const float* a, float* sum, int n) {
    __shared__ float partial[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? a[i] : 0.0F;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

void sum_hybrid(const float* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));  // atomicAdd adds to what is there
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    sum_hybrid_kernel<<<blocks, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}

__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float total = warp_sum(i < n ? a[i] : 0.0F);
    if (i % kWarp == 0 && i < n) sums[i / kWarp] = total;
}

void sum_warps(const float* a, float* sums, int n) {
    if (n == 0) return;
    const int blocks = (n - 1) / kThreads + 1;
    sum_warps_kernel<<<blocks, kThreads>>>(a, sums, n);
    CUDA_CHECK(cudaGetLastError());
}

__global__ void sum_fast_kernel(const float* a, float* sum, int n) {
    __shared__ float warps[kWarp];
    __half value = __float2half(0.0F);
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        value = __hadd(value, __float2half(a[i]));
    value = __float2half(warp_sum(__half2float(value)));
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    if (lane == 0) warps[warp] = __half2float(value);
    __syncthreads();
    if (warp == 0) {
        float v = lane < blockDim.x / kWarp ? warps[lane] : 0.0F;
        v = warp_sum(v);
        if (lane == 0) atomicAdd(sum, v);
    }
}

void sum_fast(const float* a, float* sum, int n) {
    CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float)));
    if (n == 0) return;
    int device = 0, sms = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    const int blocks = std::min((n - 1) / kThreads + 1, sms * (2048 / kThreads));
    sum_fast_kernel<<<blocks, kThreads>>>(a, sum, n);
    CUDA_CHECK(cudaGetLastError());
}
