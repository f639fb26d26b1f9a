#pragma once

/// 1 for even threads, 3 for odd ones; a loop, so that lanes part.
__device__ inline float weight(int thread) {
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i <= 2 * (thread % 2); ++i) sum += 1;
    return sum;
}
