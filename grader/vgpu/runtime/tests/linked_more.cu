// The second file of linked.cu.
#include <cstdio>

__device__ int counter = 100;

static __device__ int own = 7;
static __device__ __noinline__ int times_own(int x) {
    return x * own;
}
template <class T>
__device__ __noinline__ T same(T x) {
    return x * 2;
}
__device__ int twice(int x) {
    __shared__ int doubled;
    doubled = same(x);
    __syncthreads();
    return doubled;
}

__global__ void second(int* out) {
    *out = times_own(2) + same(1);
    printf("second %d\n", *out);
    if (*out < 0) out[1] = 0;
}
__global__ void outside(int* out) {
    out[1] = 0;
}

int run_more(int* out) {
    int value = 0;
    if (cudaMemcpyToSymbol(counter, &value, sizeof value) != cudaSuccess) return 1;
    second<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    outside<<<1, 1>>>(out);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
