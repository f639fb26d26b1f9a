// Lab 00: Welcome. One line of this file is wrong. Let the grader name it, and fix it.
//
//   Check     ./lab grade 00
//   Handout   labs/00-welcome/README.md
//   Stuck     ./lab hint 00

#include "welcome.h"

// ---------------------------------------------------------------------------
// Device: many threads run this function at once, and each doubles one element.
//
//     block 0         block 1               last block
//   [0 1 ... 255] [256 257 ... 511] ... [... n-1 | threads with no element]

__global__ void double_kernel(const float* a, float* b, int n) {
    // TODO(1/1): This is right in block 0 only. Make i the number of the element
    //            that this thread doubles. 1 line. Handout: "Fix the line".
    const int i = threadIdx.x;

    if (i < n) b[i] = 2 * a[i];
}

// ---------------------------------------------------------------------------
// Host: starts the kernel with enough blocks of 256 threads for all n elements.

void double_all(const float* a, float* b, int n) {
    if (n == 0) return;
    const int threads_per_block = 256;
    const int blocks = (n - 1) / threads_per_block + 1;
    double_kernel<<<blocks, threads_per_block>>>(a, b, n);
}
