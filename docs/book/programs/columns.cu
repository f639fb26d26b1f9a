// Threads of a warp stand below each other, in a column: each of its requests moves 32 sectors.
// Run: ./lab profile -- ./columns
#include <cstdio>

constexpr int kSide = 1024;

__global__ void columns_kernel(float* image) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
    image[y * kSide + x] += 1;
}

int main() {
    float* image;
    cudaMalloc(&image, kSide * kSide * sizeof(float));
    cudaMemset(image, 0, kSide * kSide * sizeof(float));
    columns_kernel<<<dim3(kSide / 32, kSide / 8), dim3(32, 8)>>>(image);
    float first;
    cudaMemcpy(&first, image, sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g\n", first);
    cudaFree(image);
}
