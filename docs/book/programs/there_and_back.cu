// Takes an array to the device and back: the five steps of every CUDA program.

#include <cstdio>

__global__ void fahrenheit_kernel(float* degrees) {
    degrees[threadIdx.x] = degrees[threadIdx.x] * 9 / 5 + 32;
}

int main() {
    float degrees[4] = {-40, 0, 37, 100};  // Celsius, in host memory
    float* d_degrees;                      // will hold an address in device memory

    cudaMalloc(&d_degrees, sizeof(degrees));                                  // 1
    cudaMemcpy(d_degrees, degrees, sizeof(degrees), cudaMemcpyHostToDevice);  // 2
    fahrenheit_kernel<<<1, 4>>>(d_degrees);                                   // 3
    cudaMemcpy(degrees, d_degrees, sizeof(degrees), cudaMemcpyDeviceToHost);  // 4
    cudaFree(d_degrees);                                                      // 5

    for (const float f : degrees) std::printf("%g F\n", f);
}
