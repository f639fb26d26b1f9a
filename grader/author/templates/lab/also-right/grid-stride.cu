// Right: a grid of a size that fills the GPU, each thread in strides of the whole grid.

#include "NEW_TOPIC.h"

__global__ void double_kernel(const float* a, float* b, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) b[i] = 2 * a[i];
}

void launch_NEW_TOPIC(const float* a, float* b, int n) {
    if (n == 0) return;
    const int enough = (n - 1) / 256 + 1, most = 4096;
    const int blocks = enough < most ? enough : most;
    double_kernel<<<blocks, 256>>>(a, b, n);
}
