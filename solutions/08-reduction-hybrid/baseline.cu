// Lab 08, baseline: right, and slow. Each thread adds up a row of 64 elements of its own, which no
// two neighbours share a sector for, and one atomicAdd each: all threads stand in line for one
// address. (One atomicAdd an element would not even be right: a float that has reached 2^24 stays
// there.)

#include "reduction_hybrid.h"

__global__ void sum_kernel(const float* a, float* sums, int n, int elements) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const long long begin = 1LL * thread * elements;
    if (begin >= n) return;
    float total = 0.0F;
    for (long long i = begin; i < begin + elements && i < n; ++i) total += a[i];
    atomicAdd(&sums[elements == 32 ? thread : 0], total);
}

static void add_all(const float* a, float* sums, int n, int elements, int count) {
    cudaMemsetAsync(sums, 0, count * sizeof(float));
    const int threads = n / elements + 1;
    if (n > 0) sum_kernel<<<threads / 256 + 1, 256>>>(a, sums, n, elements);
}

void sum_hybrid(const float* a, float* sum, int n) {
    add_all(a, sum, n, 64, 1);
}

void sum_warps(const float* a, float* sums, int n) {
    if (n > 0) add_all(a, sums, n, 32, (n - 1) / 32 + 1);
}

void sum_fast(const float* a, float* sum, int n) {
    add_all(a, sum, n, 64, 1);
}
