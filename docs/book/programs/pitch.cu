// Allocates an image with padded rows, and says how far apart the rows are.

#include <cstdio>

__global__ void set_kernel(float* image, size_t pitch, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    if (x < width) image[y * pitch + x] = 1000 * y + x;
}

int main() {
    const int width = 5, height = 3;
    float* image;
    size_t pitch_bytes;
    cudaMallocPitch(&image, &pitch_bytes, width * sizeof(float), height);
    std::printf("a row: %zu bytes, pitch: %zu bytes\n", width * sizeof(float), pitch_bytes);
    set_kernel<<<dim3(1, height), 32>>>(image, pitch_bytes / sizeof(float), width);
    float dense[height][width];  // on the host, rows without padding
    cudaMemcpy2D(dense, sizeof(dense[0]), image, pitch_bytes, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    std::printf("pixel (2, 4): %g\n", dense[2][4]);
    cudaFree(image);
}
