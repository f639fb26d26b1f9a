// Wrong: min_max_sum adds numbers that are cut to the 10 bits of mantissa that half precision has.
//
// expect vgpu: "min_max_sum: three results in one pass": "elements of result"
// expect gpu: "min_max_sum: three results in one pass": "elements of result"
// expect never: "some numbers were added twice"

#include "reduction_binary.h"
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
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = a[i];
    atomicMin(&ints->min, order(x));
    atomicMax(&ints->max, order(x));
    atomicAdd(&ints->sum, __int_as_float(__float_as_int(x) & 0xffffe000));
}
__global__ void finish(MinMaxSum* r) {
    const Ints i = *reinterpret_cast<Ints*>(r);
    r->min = back(i.min);
    r->max = back(i.max);
    r->sum = i.sum;
}
void min_max_sum(const float* a, MinMaxSum*, MinMaxSum* result, int n) {
    start<<<1, 1>>>(result);
    if (n) reduce<<<(n + 255) / 256, 256>>>(a, result, n);
    finish<<<1, 1>>>(result);
}
