// Shows the effect of a false promise. It runs the same two statements with one array as a and c:
// once without a promise, and once with a promise that it breaks.
//
//   nvcc -O3 -std=c++17 -cudart shared -o false_promise false_promise.cu
//   ./lab vgpu run -- ./false_promise                          (or ./false_promise on a GPU)

#include <cstdio>

__global__ void add_kernel(float* a, float* b, const float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    a[i] += c[i];
    b[i] += c[i];
}

__global__ void promised_kernel(float* __restrict__ a, float* __restrict__ b,
                                const float* __restrict__ c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    a[i] += c[i];
    b[i] += c[i];
}

int main() {
    const int n = 1;
    float *x, *b;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    for (const bool promised : {false, true}) {
        x[0] = 3;
        b[0] = 10;
        if (promised) {
            promised_kernel<<<1, 32>>>(x, b, x, n);  // a and c are both x
        } else {
            add_kernel<<<1, 32>>>(x, b, x, n);
        }
        cudaDeviceSynchronize();
        std::printf("%s a = %g, b = %g\n", promised ? "false promise:" : "no promise:   ", x[0],
                    b[0]);
    }
    cudaFree(x);
    cudaFree(b);
}
