// Wrong: no tail guard. The threads of the last block that have no element read and write all the
// same.
//
// expect vgpu: "launch_NEW_TOPIC: every element is right": "past the end"
// expect gpu: "launch_NEW_TOPIC: every element is right": "past the end"

#include "NEW_TOPIC.h"

__global__ void double_kernel(const float* a, float* b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = 2 * a[i];
}

void launch_NEW_TOPIC(const float* a, float* b, int n) {
    if (n == 0) return;
    double_kernel<<<(n + 255) / 256, 256>>>(a, b);
}
