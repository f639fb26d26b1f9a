// Adds 16 numbers in a tree: a launch a round, half the threads each time.

#include <cstdio>

__global__ void round_kernel(int* a) {
    a[threadIdx.x] += a[threadIdx.x + blockDim.x];
}

int main() {
    int* a;
    cudaMallocManaged(&a, 16 * sizeof(int));
    for (int i = 0; i < 16; ++i) a[i] = i;
    for (int half = 8; half > 0; half /= 2) {
        round_kernel<<<1, half>>>(a);
        cudaDeviceSynchronize();
        std::printf("%d left:", half);
        for (int i = 0; i < half; ++i) std::printf(" %d", a[i]);
        std::printf("\n");
    }
    cudaFree(a);
}
