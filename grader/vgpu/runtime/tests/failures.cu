// A kernel that fails, and what each call answers from then on. The argument says how it fails. The
// same program, run on an H200 (driver 580, CUDA 13.0), wrote failures.expected with "address".
//
//   nvcc -arch=native -o failures failures.cu && ./failures address > failures.expected   on a GPU
#include <cassert>
#include <cstdio>
#include <cstring>

#define SHOW(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void say(int x) {
    printf("kernel %d\n", x);
}
__global__ void far_away(int* p) {
    p[1ll << 40] = 1;
}
__global__ void odd_address(char* p) {
    *(int*)(p + 1) = 1;
}
__global__ void failed_assert(int x) {
    assert(x == 0);
}
__global__ void endless(volatile int* p) {
    while (*p == 0) {
    }
}
__device__ int variable;

int main(int, char** arguments) {
    int *p, *q, *pinned, i;
    char h[8];
    size_t a, b;
    cudaStream_t s;
    cudaEvent_t e;
    cudaMalloc(&p, 1024);
    cudaMemset(p, 0, 1024);
    cudaMallocHost(&pinned, 64);
    cudaEventCreate(&e);
    say<<<1, 1>>>(5);
    if (!std::strcmp(arguments[1], "address")) far_away<<<1, 1>>>(p);
    if (!std::strcmp(arguments[1], "alignment")) odd_address<<<1, 1>>>((char*)p);
    if (!std::strcmp(arguments[1], "assert")) failed_assert<<<1, 1>>>(1);
    if (!std::strcmp(arguments[1], "endless")) endless<<<1, 1>>>(p);
    SHOW(cudaGetLastError());
    SHOW(cudaPeekAtLastError());
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaPeekAtLastError());
    SHOW(cudaMalloc(&q, 16));
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaGetDevice(&i));
    SHOW(cudaGetDeviceCount(&i));
    SHOW(cudaSetDevice(0));
    cudaDeviceProp properties;
    SHOW(cudaGetDeviceProperties(&properties, 0));
    SHOW(cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 0));
    SHOW(cudaMemGetInfo(&a, &b));
    SHOW(cudaFree(p));
    SHOW(cudaFree(0));
    SHOW(cudaFreeHost(pinned));
    SHOW(cudaEventCreate(&e));
    SHOW(cudaEventRecord(e));
    SHOW(cudaEventQuery(e));
    SHOW(cudaStreamCreate(&s));
    SHOW(cudaMemcpy(h, p, 8, cudaMemcpyDefault));
    SHOW(cudaMemcpy(h, h, 8, cudaMemcpyHostToHost));
    say<<<1, 1>>>(6);
    SHOW(cudaGetLastError());
    SHOW(cudaGetSymbolAddress((void**)&q, variable));
    SHOW(cudaRuntimeGetVersion(&i));
    SHOW(cudaDeviceReset());
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&q, 16));
    SHOW(cudaDeviceSynchronize());
}
