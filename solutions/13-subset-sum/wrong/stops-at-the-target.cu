// Wrong: early exit. The host reads the target's flag after each column, and goes no further when
// it is 1. But the result is a whole column, and later items make new sums.
// expect vgpu: "subset_sum: against all subsets, and long columns": "end with the first that reaches"
// expect gpu: "subset_sum: against all subsets, and long columns": "end with the first that reaches"

#include "subset_sum.h"

#include <utility>

__global__ void next_column_kernel(const unsigned char* column, unsigned char* next, int item,
                                   int target) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= target; i += gridDim.x * blockDim.x) {
        next[i] = column[i] | (i >= item ? column[i - item] : 0);
    }
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target,
                 int chunk) {
    next_column_kernel<<<target / (256 * chunk) + 1, 256>>>(column, next, item, target);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    unsigned char *column = other, *next = reachable, flag = 0;
    cudaMemset(column, 0, target + 1);
    cudaMemset(column, 1, 1);
    for (int j = 0; j < n && flag == 0; ++j) {
        next_column(column, next, s[j], target, 8);
        cudaMemcpy(&flag, next + target, 1, cudaMemcpyDeviceToHost);
        std::swap(column, next);
    }
    if (column != reachable) cudaMemcpy(reachable, column, target + 1, cudaMemcpyDeviceToDevice);
}

void subset_sum_bits(const int*, unsigned*, unsigned*, int, int) {}
