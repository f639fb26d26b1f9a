// Lab NEW_NUMBER: NEW_TITLE. Double every element of a vector.
//
//   Handout   labs/NEW_NAME/README.md
//   Check     ./lab grade NEW_NUMBER
//   Stuck     ./lab hint NEW_NUMBER

#include "NEW_TOPIC.h"

// ---------------------------------------------------------------------------
// Device: one thread computes one element of b. Shapes: a and b are (n).
//
//     block 0        block 1          last block
//   [0 1 ... 255] [256 ... 511] ... [... n-1 | threads with no element]

__global__ void double_kernel(const float* a, float* b, int n) {
    // TODO(1/2): Compute this thread's index across the whole grid, and store
    //            2 * a[i] in b[i] if that element exists.
    //            About 4 lines. Handout: "Task 1".
    // BEGIN SOLUTION
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        b[i] = 2 * a[i];
    }
    // END SOLUTION
}

// ---------------------------------------------------------------------------
// Host: choose the grid and launch.

void launch_NEW_TOPIC(const float* a, float* b, int n) {
    const int threads_per_block = 256;

    // TODO(2/2): Launch enough blocks for all n elements, and none when n is 0.
    //            About 2 lines. Handout: "Task 2".
    // BEGIN SOLUTION
    // SKELETON const int blocks = 1;
    if (n == 0) return;
    const int blocks = (n - 1) / threads_per_block + 1;  // rounds up
    // END SOLUTION

    double_kernel<<<blocks, threads_per_block>>>(a, b, n);
}
