// Brightens an image twice: with the x of the threads along the rows, then along the columns.
// Run: ./lab vgpu run --annotate -- ./axes

constexpr int kSide = 256;

__global__ void rows_kernel(float* image) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    image[y * kSide + x] += 1;
}

__global__ void columns_kernel(float* image) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    image[x * kSide + y] += 1;
}

int main() {
    float* image;
    cudaMalloc(&image, kSide * kSide * sizeof(float));
    cudaMemset(image, 0, kSide * kSide * sizeof(float));
    const dim3 threads(32, 8), blocks(kSide / 32, kSide / 8);
    rows_kernel<<<blocks, threads>>>(image);
    columns_kernel<<<blocks, threads>>>(image);
    cudaFree(image);
}
