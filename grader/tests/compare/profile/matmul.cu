// Products of 512 x 512, from global and from shared memory.
constexpr int kTile = 32;

__global__ void naive(const float* a, const float* b, float* c, int n) {
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += kTile) {
        a_tile[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        b_tile[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

int main() {
    constexpr int n = 512;
    float *a, *b, *c;
    for (float** array : {&a, &b, &c}) cudaMalloc(array, n * n * sizeof(float));
    for (float* array : {a, b}) cudaMemset(array, 0, n * n * sizeof(float));
    const dim3 blocks(n / kTile, n / kTile), threads(kTile, kTile);
    naive<<<blocks, threads>>>(a, b, c, n);
    tiled<<<blocks, threads>>>(a, b, c, n);
    cudaDeviceSynchronize();
    for (float* array : {a, b, c}) cudaFree(array);
}
