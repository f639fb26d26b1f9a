// Right: the other way round. Each thread looks at one flag of the column, and stores where the sum
// goes from there. Two threads may store the same 1 in the same place, which is no matter. The
// comparison of i + item with the target is written so that it cannot overflow.

#include "subset_sum.h"

#include <utility>

__global__ void scatter_kernel(const unsigned char* column, unsigned char* next, int item,
                               int target) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= target; i += gridDim.x * blockDim.x) {
        if (column[i] == 0) continue;
        next[i] = 1;
        if (item <= target - i) next[i + item] = 1;
    }
}

__global__ void scatter_bits_kernel(const unsigned* column, unsigned* next, int item, int target) {
    const int words = target / 32 + 1;
    for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x) {
        const unsigned flags = column[w];
        if (flags == 0) continue;
        atomicOr(&next[w], flags);
        const long long to = w + item / 32;
        const auto shifted = static_cast<unsigned long long>(flags) << item % 32;
        const unsigned last_mask = 0xffffffffu >> (31 - target % 32);
        for (int half = 0; half < 2; ++half) {
            unsigned part = static_cast<unsigned>(shifted >> 32 * half);
            if (to + half == words - 1) part &= last_mask;
            if (to + half < words && part != 0) atomicOr(&next[to + half], part);
        }
    }
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target,
                 int chunk) {
    cudaMemsetAsync(next, 0, target + 1);
    scatter_kernel<<<target / (512 * chunk) + 1, 512>>>(column, next, item, target);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    if (n % 2 == 1) std::swap(reachable, other);
    cudaMemsetAsync(reachable, 0, target + 1);
    cudaMemsetAsync(reachable, 1, 1);
    for (int j = 0; j < n; ++j) {
        next_column(reachable, other, s[j], target, 8);
        std::swap(reachable, other);
    }
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned* other, int n, int target) {
    const size_t bytes = (target / 32 + 1) * sizeof(unsigned);
    if (n % 2 == 1) std::swap(reachable, other);
    cudaMemsetAsync(reachable, 0, bytes);
    cudaMemsetAsync(reachable, 1, 1);
    for (int j = 0; j < n; ++j) {
        cudaMemsetAsync(other, 0, bytes);
        scatter_bits_kernel<<<target / 32 / 1024 + 1, 256>>>(reachable, other, s[j], target);
        std::swap(reachable, other);
    }
}
