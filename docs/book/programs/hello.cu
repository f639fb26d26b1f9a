// Prints a line for each thread, to show what a grid of 2 blocks of 4 threads is.

#include <cstdio>

__global__ void hello_kernel() {
    printf("block %d of %d, thread %d of %d\n", blockIdx.x, gridDim.x, threadIdx.x, blockDim.x);
}

int main() {
    hello_kernel<<<2, 4>>>();
    std::printf("the launch has returned\n");
    cudaDeviceSynchronize();  // waits for the kernel and prints its lines
}
