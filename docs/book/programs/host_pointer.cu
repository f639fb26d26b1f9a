// Passes a host pointer to a kernel, the commonest mistake of a first program.

#include <cstdio>

__global__ void double_kernel(int* numbers) {
    numbers[threadIdx.x] *= 2;
}

int main() {
    int* numbers = new int[32]{1, 2, 3};
    double_kernel<<<1, 32>>>(numbers);
    const cudaError_t status = cudaDeviceSynchronize();
    std::printf("numbers[2] = %d, %s\n", numbers[2], cudaGetErrorName(status));
    delete[] numbers;
}
