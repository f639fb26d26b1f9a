// As much as arithmetic in double gives, and functions.
__global__ void polynomial(double* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double x = values[i];
    double sum = 0;
    for (int k = 0; k < 200; ++k) sum = sum * x + 1.5;
    values[i] = sum;
}

__global__ void roots(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = values[i] + 2;
    for (int k = 0; k < 50; ++k) x = sqrtf(x) + 1 / x;
    values[i] = x;
}

int main() {
    constexpr int n = 1 << 20;
    double* values;
    cudaMalloc(&values, n * sizeof(double));
    cudaMemset(values, 0, n * sizeof(double));
    polynomial<<<n / 256, 256>>>(values, n);
    roots<<<n / 256, 256>>>(reinterpret_cast<float*>(values), n);
    cudaDeviceSynchronize();
    cudaFree(values);
}
