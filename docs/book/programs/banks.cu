// Reads columns of a tile in shared memory, without and with a column of padding.
// Run: ./lab vgpu run --annotate -- ./banks

__global__ void plain_kernel(float* out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void padded_kernel(float* out) {
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    float* out;
    cudaMalloc(&out, 32 * 32 * sizeof(float));
    plain_kernel<<<1, dim3(32, 32)>>>(out);
    padded_kernel<<<1, dim3(32, 32)>>>(out);
    cudaFree(out);
}
