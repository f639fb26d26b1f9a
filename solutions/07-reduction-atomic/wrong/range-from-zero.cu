// Wrong: lowest and highest begin with 0, which is wrong as soon as all numbers lie on one side of
// it.
//
// expect vgpu: "range_of_ints: the lowest and the highest": "The lowest came out as 0"
// expect gpu: "range_of_ints: the lowest and the highest": "The lowest came out as 0"

#include "reduction_atomic.h"

#include <climits>
#include <cmath>

template <class T>
__global__ void set_kernel(T* place, T value) {
    *place = value;
}

template <class T>
__global__ void sum_kernel(const T* a, T* total, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, a[i]);
}

__global__ void range_kernel(const int* a, IntRange* range, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicMin(&range->lowest, a[i]);
    atomicMax(&range->highest, a[i]);
}

__device__ void atomic_max(float* place, float x) {
    int* const bits = reinterpret_cast<int*>(place);
    int seen = *bits;
    while (x > __int_as_float(seen)) {
        const int there = atomicCAS(bits, seen, __float_as_int(x));
        if (there == seen) return;
        seen = there;
    }
}

__global__ void max_kernel(const float* a, float* largest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(largest, a[i]);
}

__global__ void block_first_kernel(const float* a, float* total, int n) {
    __shared__ float block_total;
    if (threadIdx.x == 0) block_total = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&block_total, a[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, block_total);
}

__global__ void histogram_kernel(const int* keys, int* counts, int n, int bins) {
    __shared__ int block_counts[1024];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) block_counts[bin] = 0;
    __syncthreads();
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicAdd(&block_counts[keys[i]], 1);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        atomicAdd(&counts[bin], block_counts[bin]);
    }
}

static int blocks_for(int n) {
    return n > 0 ? (n - 1) / 256 + 1 : 1;
}

void sum_of_ints(const int* a, int* total, int n) {
    set_kernel<<<1, 1>>>(total, 0);
    sum_kernel<<<blocks_for(n), 256>>>(a, total, n);
}

void sum_of_floats(const float* a, float* total, int n) {
    set_kernel<<<1, 1>>>(total, 0.0f);
    sum_kernel<<<blocks_for(n), 256>>>(a, total, n);
}

void range_of_ints(const int* a, IntRange* range, int n) {
    set_kernel<<<1, 1>>>(range, IntRange{0, 0});
    range_kernel<<<blocks_for(n), 256>>>(a, range, n);
}

void max_of_floats(const float* a, float* largest, int n) {
    set_kernel<<<1, 1>>>(largest, -INFINITY);
    max_kernel<<<blocks_for(n), 256>>>(a, largest, n);
}

void block_first_sum(const float* a, float* total, int n) {
    set_kernel<<<1, 1>>>(total, 0.0f);
    block_first_kernel<<<blocks_for(n), 256>>>(a, total, n);
}

void histogram(const int* keys, int* counts, int n, int bins) {
    cudaMemset(counts, 0, bins * sizeof(int));
    const int blocks = blocks_for(n) < 264 ? blocks_for(n) : 264;
    histogram_kernel<<<blocks, 256>>>(keys, counts, n, bins);
}
