// The program of views_test.cpp: a sum in shared memory, with a function in another file.
#include <cstdio>

#include "views_weight.h"

__global__ void weighted_sum(const float* in, float* out) {
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = in[t] * weight(t);
    __syncthreads();
    for (int s = 32; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, part[0]);
}

int main() {
    float host[64], sum = 0, *in, *out;
    for (float& x : host) x = 1;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(sum));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(sum));
    for (int i = 0; i < 2; ++i) weighted_sum<<<1, 64>>>(in, out);
    cudaMemcpy(&sum, out, sizeof(sum), cudaMemcpyDeviceToHost);
    std::printf("%g\n", sum);
    cudaFree(in);
    cudaFree(out);
}
