// The first of two files that are compiled with -rdc=true; linked_more.cu has what it uses.
#include <cstdio>

extern __device__ int counter;
__device__ int twice(int);
int run_more(int*);

static __device__ int own = 3;
static __device__ __noinline__ int plus_own(int x) {
    return x + own;
}
template <class T>
__device__ __noinline__ T same(T x) {
    return x * 2;
}

__global__ void first(int* out) {
    *out = twice(plus_own(1)) + same(5) + counter;
    printf("first %d\n", *out);
}

int main() {
    int* out = nullptr;
    if (cudaMalloc(&out, sizeof(int)) != cudaSuccess) return 1;
    first<<<1, 1>>>(out);
    int value = 0;
    if (cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", value);
    return run_more(out);
}
