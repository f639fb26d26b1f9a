// Slow: right, but one block does all the work, on one multiprocessor.
//
// expect vgpu: "launch_NEW_TOPIC: at least 0.45x the reference": "Too few threads"
// expect gpu: "launch_NEW_TOPIC: at least 0.45x the reference": "too slow"

#include "NEW_TOPIC.h"

__global__ void double_kernel(const float* a, float* b, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) b[i] = 2 * a[i];
}

void launch_NEW_TOPIC(const float* a, float* b, int n) {
    if (n > 0) double_kernel<<<1, 1024>>>(a, b, n);
}
