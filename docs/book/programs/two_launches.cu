// Reverses an array across all blocks. The second kernel reads what other blocks of the first one
// wrote, so the end of the first launch is the barrier.

#include <cstdio>

__global__ void square_kernel(int* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    squares[i] = i * i;
}

__global__ void reverse_kernel(const int* squares, int* reversed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int n = gridDim.x * blockDim.x;
    reversed[i] = squares[n - 1 - i];
}

int main() {
    int *squares, *reversed;
    cudaMallocManaged(&squares, 512 * sizeof(int));
    cudaMallocManaged(&reversed, 512 * sizeof(int));
    square_kernel<<<4, 128>>>(squares);
    reverse_kernel<<<4, 128>>>(squares, reversed);  // begins when all of square_kernel has ended
    cudaDeviceSynchronize();
    std::printf("%d %d ... %d %d\n", reversed[0], reversed[1], reversed[510], reversed[511]);
    cudaFree(squares);
    cudaFree(reversed);
}
