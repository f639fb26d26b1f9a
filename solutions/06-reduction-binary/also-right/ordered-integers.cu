// Right: minimum and maximum as integers in the order of the floats, by the reductions of a warp
// and atomics; sums in whole warps whatever the block, with recursive templates.

#include "reduction_binary.h"
// float min/max by __reduce_min_sync on ordered integers, atomics on shared memory, recursion in
// templates
__device__ int order(float x) {
    int i = __float_as_int(x);
    return i ^ ((i >> 31) & 0x7fffffff);
}
__device__ float back(int i) {
    return __int_as_float(i ^ ((i >> 31) & 0x7fffffff));
}
template <int D>
__device__ float warp_sum(float x) {
    if constexpr (D == 0)
        return x;
    else
        return warp_sum<D / 2>(x + __shfl_down_sync(0xffffffffu, x, D));
}
__global__ void sums_kernel(const float* __restrict__ a, float* __restrict__ sums, int n, int t) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    float x = 0;
    for (int k = threadIdx.x; k < t; k += blockDim.x) {
        const long long i = (long long)blockIdx.x * t + k;
        if (i < n) x += a[i];
    }
    x = warp_sum<16>(x);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, x);
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}
void block_sums(const float* a, float* sums, int n, int t) {
    if (n) sums_kernel<<<(n - 1) / t + 1, (t + 31) / 32 * 32>>>(a, sums, n, t);
}
void one_block_sum(const float* a, float* total, int n, int t) {
    sums_kernel<<<1, (t + 31) / 32 * 32>>>(a, total, n, n);
}
void sum(const float* a, float* scratch, float* total, int n) {
    block_sums(a, scratch, n, 1024);
    one_block_sum(scratch, total, (n + 1023) / 1024, 1024);
}
struct Ints {
    int min, max;
    float sum;
};
__global__ void start(MinMaxSum* r) {
    *reinterpret_cast<Ints*>(r) = {order(INFINITY), order(-INFINITY), 0};
}
__global__ void reduce(const float* a, MinMaxSum* r, int n) {
    Ints* ints = reinterpret_cast<Ints*>(r);
    int lo = order(INFINITY), hi = order(-INFINITY);
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float x = __ldg(a + i);
        lo = min(lo, order(x));
        hi = max(hi, order(x));
        s += x;
    }
    lo = __reduce_min_sync(~0u, lo);
    hi = __reduce_max_sync(~0u, hi);
    s = warp_sum<16>(s);
    if ((threadIdx.x & 31) == 0) {
        atomicMin(&ints->min, lo);
        atomicMax(&ints->max, hi);
        atomicAdd(&ints->sum, s);
    }
}
__global__ void finish(MinMaxSum* r) {
    const Ints i = *reinterpret_cast<Ints*>(r);
    r->min = back(i.min);
    r->max = back(i.max);
    r->sum = i.sum;
}
void min_max_sum(const float* a, MinMaxSum*, MinMaxSum* result, int n) {
    start<<<1, 1>>>(result);
    if (n) reduce<<<min(132, (n + 255) / 256), 256>>>(a, result, n);
    finish<<<1, 1>>>(result);
}
