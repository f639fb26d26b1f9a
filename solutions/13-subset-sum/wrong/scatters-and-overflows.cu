// Wrong only for an item near the largest int: i + item overflows, is negative, and so not larger
// than the target. Writes far before the beginning of the column.
// expect vgpu: "next_column: one element a thread": "item = 2147483647"
// expect gpu: "next_column: one element a thread": "item = 2147483647"

#include "subset_sum.h"

__global__ void scatter_kernel(const unsigned char* column, unsigned char* next, int item,
                               int target) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > target || column[i] == 0) return;
    next[i] = 1;
    const int to = static_cast<int>(static_cast<unsigned>(i) + item);  // wraps around
    if (to <= target) next[to] = 1;
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target, int) {
    cudaMemsetAsync(next, 0, target + 1);
    scatter_kernel<<<target / 256 + 1, 256>>>(column, next, item, target);
}

void subset_sum(const int*, unsigned char*, unsigned char*, int, int) {}

void subset_sum_bits(const int*, unsigned*, unsigned*, int, int) {}
