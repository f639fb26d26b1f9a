// Lets a second stream read what the first one writes, without making it wait.

__global__ void write_kernel(float* a) {
    a[threadIdx.x] = threadIdx.x;
}

__global__ void read_kernel(const float* a, float* b) {
    b[threadIdx.x] = 2 * a[threadIdx.x];
}

int main() {
    float *a, *b;
    cudaMalloc(&a, 256 * sizeof(float));
    cudaMalloc(&b, 256 * sizeof(float));
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    write_kernel<<<1, 256, 0, first>>>(a);
    read_kernel<<<1, 256, 0, second>>>(a, b);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(a);
    cudaFree(b);
}
