// Kernels of settled_test.cpp: what a launch leaves behind when it is repeated.

#include <cooperative_groups.h>

extern "C" {

__constant__ int factor;
__global__ void times_factor(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * in[i];
}

/// out[1] and on: a value of each block; out[0]: their sum.
__global__ void sum_of_grid(const int* in, int* out) {
    if (threadIdx.x == 0) out[1 + blockIdx.x] = in[blockIdx.x];
    cooperative_groups::this_grid().sync();
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    int sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) sum += out[1 + block];
    out[0] = sum;
}

__global__ void twice(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

__global__ void increment(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ++values[i];
}

__global__ void negate(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = -values[i];
}

/// All threads write the same to one place, which may look like a race at first.
__global__ void twice_of_first(const int* in, int* out) {
    out[0] = 2 * in[0];
}

/// Reads beyond what was written of `in`.
__global__ void careless(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];
}

__device__ int* kept;

__global__ void allocate() {
    kept = static_cast<int*>(malloc(sizeof(int)));
    *kept = 0;
}
__global__ void increment_kept() {
    ++*kept;
}
__global__ void show_kept(int* out) {
    *out = *kept;
}
}
