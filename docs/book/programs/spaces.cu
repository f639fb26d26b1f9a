// Uses four kinds of memory in one kernel: constant, shared, registers, global.

#include <cstdio>

__constant__ float weights[3] = {0.25F, 0.5F, 0.25F};  // read by all threads, the same for all

__global__ void smooth_kernel(const float* in, float* out) {  // in, out: global memory
    __shared__ float block[8 + 2];                            // one copy a block
    const int i = threadIdx.x;                                // i and sum: registers, one a thread
    block[i + 1] = in[i];
    if (i == 0) block[0] = in[0];
    if (i == 7) block[9] = in[7];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 3; ++k) sum += weights[k] * block[i + k];
    out[i] = sum;
}

int main() {
    float *in, *out;
    cudaMallocManaged(&in, 8 * sizeof(float));
    cudaMallocManaged(&out, 8 * sizeof(float));
    for (int i = 0; i < 8; ++i) in[i] = i == 3 ? 16 : 0;
    smooth_kernel<<<1, 8>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i) std::printf("%g ", out[i]);
    std::printf("\n");
    cudaFree(in);
    cudaFree(out);
}
