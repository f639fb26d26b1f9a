// Right: one block does all the work. That is slow, and this lab does not ask for speed.

#include "welcome.h"

__global__ void double_kernel(const float* a, float* b, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) b[i] = 2 * a[i];
}

void double_all(const float* a, float* b, int n) {
    double_kernel<<<1, 1024>>>(a, b, n);
}
