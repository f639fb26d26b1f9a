// Right: templates over the element type, the operation and the block size, as a library would
// have them.

#include "reduction_hybrid.h"

#include <algorithm>

struct Plus {
    template <class T>
    __device__ T operator()(T x, T y) const {
        return x + y;
    }
};

template <class T, class Operation>
__device__ T warp_reduce(T value, Operation operation) {
#pragma unroll
    for (int offset = warpSize / 2; offset > 0; offset /= 2) {
        value = operation(value, __shfl_down_sync(0xffffffff, value, offset));
    }
    return value;
}

template <int kBlock, class T, class Operation>
__global__ void reduce_kernel(const T* a, T* result, int n, T neutral, Operation operation) {
    __shared__ T warp_results[kBlock / 32];
    T value = neutral;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) {
        value = operation(value, a[i]);
    }
    value = warp_reduce(value, operation);
    if (threadIdx.x % 32 == 0) warp_results[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    value = warp_reduce(threadIdx.x < kBlock / 32 ? warp_results[threadIdx.x] : neutral, operation);
    if (threadIdx.x == 0) atomicAdd(result, value);
}

void sum_hybrid(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    reduce_kernel<256><<<(n - 1) / 256 + 1, 256>>>(a, sum, n, 0.0F, Plus());
}

__global__ void sum_warps_kernel(const float* a, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float total = warp_reduce(i < n ? a[i] : 0.0F, Plus());
    if (i % 32 == 0 && i < n) sums[i / 32] = total;
}

void sum_warps(const float* a, float* sums, int n) {
    if (n == 0) return;
    sum_warps_kernel<<<(n - 1) / 256 + 1, 256>>>(a, sums, n);
}

void sum_fast(const float* a, float* sum, int n) {
    cudaMemsetAsync(sum, 0, sizeof(float));
    if (n == 0) return;
    int resident = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, reduce_kernel<512, float, Plus>, 512,
                                                  0);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int blocks = std::min((n - 1) / 512 + 1, multiprocessors * resident);
    reduce_kernel<512><<<blocks, 512>>>(a, sum, n, 0.0F, Plus());
}
