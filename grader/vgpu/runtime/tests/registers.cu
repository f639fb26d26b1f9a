// The runtime's answers about the resources of kernels.
#include <cstdio>

__global__ void few(int* p) {
    p[threadIdx.x] = 1;
}

/// Forty values that are alive at once.
__global__ void many(float* p) {
    float v[40];
    for (int i = 0; i < 40; ++i) v[i] = p[threadIdx.x + i * blockDim.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 40; ++i) sum = sum * v[i] + v[39 - i];
    p[threadIdx.x] = sum;
}

/// Two hundred values: they lie in local memory.
__global__ void local(int* p, int k) {
    int v[200];
#pragma unroll 1
    for (int i = 0; i < 200; ++i) v[i] = p[i];
    p[threadIdx.x] = v[(k + threadIdx.x) % 200];
}

template <typename Kernel>
void show(const char* name, Kernel* kernel) {
    cudaFuncAttributes a{};
    int blocks = 0;
    cudaFuncGetAttributes(&a, kernel);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0);
    std::printf("%s %d %zu %d\n", name, a.numRegs, a.localSizeBytes, blocks);
}

int main() {
    show("_Z3fewPi", few);
    show("_Z4manyPf", many);
    show("_Z5localPii", local);
}
