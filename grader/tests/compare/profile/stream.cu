// As much as memory gives: 64 Mi sums.
__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main() {
    constexpr int n = 1 << 26;
    float *a, *b, *c;
    for (float** array : {&a, &b, &c}) cudaMalloc(array, n * sizeof(float));
    for (float* array : {a, b}) cudaMemset(array, 0, n * sizeof(float));
    add<<<n / 256, 256>>>(a, b, c, n);
    cudaDeviceSynchronize();
    for (float* array : {a, b, c}) cudaFree(array);
}
