// Adds into memory that nobody has set to 0.

#include <cstdio>

__global__ void count_kernel(int* evens) {
    if (threadIdx.x % 2 == 0) atomicAdd(evens, 1);
}

int main() {
    int* evens;
    int result = 0;
    cudaMalloc(&evens, sizeof(int));
    count_kernel<<<1, 64>>>(evens);
    cudaMemcpy(&result, evens, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%s\n", result == 32 ? "32, as it should be" : "not 32");
    cudaFree(evens);
}
