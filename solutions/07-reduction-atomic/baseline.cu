// Lab 07, baseline: right, and slow. Every thread goes to global memory with its element: one
// atomic operation each, and all on the same few places.

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

__global__ void max_kernel(const float* a, float* largest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* const bits = reinterpret_cast<int*>(largest);
    int seen = atomicAdd(bits, 0), expected;
    do {
        expected = seen;
        if (__int_as_float(expected) >= a[i]) return;
        seen = atomicCAS(bits, expected, __float_as_int(a[i]));
    } while (seen != expected);
}

__global__ void histogram_kernel(const int* keys, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[keys[i]], 1);
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
    set_kernel<<<1, 1>>>(range, IntRange{INT_MAX, INT_MIN});
    range_kernel<<<blocks_for(n), 256>>>(a, range, n);
}

void max_of_floats(const float* a, float* largest, int n) {
    set_kernel<<<1, 1>>>(largest, -INFINITY);
    max_kernel<<<blocks_for(n), 256>>>(a, largest, n);
}

void block_first_sum(const float* a, float* total, int n) {
    sum_of_floats(a, total, n);
}

void histogram(const int* keys, int* counts, int n, int bins) {
    cudaMemset(counts, 0, bins * sizeof(int));
    histogram_kernel<<<blocks_for(n), 256>>>(keys, counts, n);
}
