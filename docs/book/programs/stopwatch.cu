// Measures a kernel with events: once to warm up, then several times, and takes the median.

#include <algorithm>
#include <cstdio>

__global__ void copy_kernel(const float4* in, float4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

int main() {
    const int n = 1 << 18;  // float4: 4 MiB
    float4 *in, *out;
    cudaMalloc(&in, n * sizeof(float4));
    cudaMalloc(&out, n * sizeof(float4));
    cudaMemset(in, 0, n * sizeof(float4));
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float ms[9];
    for (int run = -1; run < 9; ++run) {
        cudaEventRecord(begin);
        copy_kernel<<<n / 256, 256>>>(in, out);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        if (run >= 0) cudaEventElapsedTime(&ms[run], begin, end);
    }
    std::sort(ms, ms + 9);
    const double bytes = 2.0 * n * sizeof(float4);  // each is read once and written once
    std::printf("median %.4f ms, %.0f GB/s\n", ms[4], bytes / ms[4] * 1e-6);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(in);
    cudaFree(out);
}
