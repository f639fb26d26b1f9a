// Wrong: the index inside the block. Only the first block's elements are ever written.
//
// expect vgpu: "launch_NEW_TOPIC: every element is right": "blockIdx is missing"
// expect gpu: "launch_NEW_TOPIC: every element is right": "blockIdx is missing"

#include "NEW_TOPIC.h"

__global__ void double_kernel(const float* a, float* b, int n) {
    const int i = threadIdx.x;
    if (i < n) b[i] = 2 * a[i];
}

void launch_NEW_TOPIC(const float* a, float* b, int n) {
    if (n == 0) return;
    double_kernel<<<(n + 255) / 256, 256>>>(a, b, n);
}
