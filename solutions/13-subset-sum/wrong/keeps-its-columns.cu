// Wrong on the second call: the last column is kept, and used again for the next call with as many
// items and the same target.
// expect vgpu: "subset_sum: against all subsets, and long columns": "left over"
// expect gpu: "subset_sum: against all subsets, and long columns": "left over"

#include "subset_sum.h"

#include <utility>

__device__ unsigned char kept[1 << 20];

__global__ void next_column_kernel(const unsigned char* column, unsigned char* next, int item,
                                   int target) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= target) next[i] = column[i] | (i >= item ? column[i - item] : 0);
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target, int) {
    next_column_kernel<<<target / 256 + 1, 256>>>(column, next, item, target);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    static int kept_n = -1, kept_target = -1;
    if (n == kept_n && target == kept_target) {
        cudaMemcpyFromSymbolAsync(reachable, kept, target + 1, 0, cudaMemcpyDeviceToDevice);
        return;
    }
    unsigned char* column = n % 2 == 0 ? reachable : other;
    unsigned char* next = n % 2 == 0 ? other : reachable;
    cudaMemsetAsync(column, 0, target + 1);
    cudaMemsetAsync(column, 1, 1);
    for (int j = 0; j < n; ++j) {
        next_column(column, next, s[j], target, 1);
        std::swap(column, next);
    }
    if (target >= 1 << 20) return;
    cudaMemcpyToSymbolAsync(kept, reachable, target + 1, 0, cudaMemcpyDeviceToDevice);
    kept_n = n;
    kept_target = target;
}

void subset_sum_bits(const int*, unsigned*, unsigned*, int, int) {}
