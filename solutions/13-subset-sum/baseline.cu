// Lab 13, baseline: right, and slow. Each thread computes a chunk of consecutive elements, so that
// the threads of a warp read and write places that are far apart.

#include "subset_sum.h"

#include <utility>

constexpr int kElements = 256;  // a thread, one after the other

__global__ void next_column_kernel(const unsigned char* column, unsigned char* next, int item,
                                   int target) {
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * kElements;
    for (int i = begin; i < begin + kElements && i <= target; ++i) {
        next[i] = column[i] | (i >= item ? column[i - item] : 0);
    }
}

__global__ void next_bits_kernel(const unsigned* column, unsigned* next, int item, int target) {
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * kElements;
    const int last = target / 32, words = item / 32, bits = item % 32;
    for (int w = begin; w < begin + kElements && w <= last; ++w) {
        const unsigned high = w >= words ? column[w - words] : 0;
        const unsigned low = w > words ? column[w - words - 1] : 0;
        const unsigned mask = w == last ? 0xffffffffu >> (31 - target % 32) : 0xffffffffu;
        next[w] = (column[w] | __funnelshift_l(low, high, bits)) & mask;
    }
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target, int) {
    next_column_kernel<<<target / (256 * kElements) + 1, 256>>>(column, next, item, target);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    if (n % 2 == 1) std::swap(reachable, other);
    cudaMemsetAsync(reachable, 0, target + 1);
    cudaMemsetAsync(reachable, 1, 1);
    for (int j = 0; j < n; ++j) {
        next_column(reachable, other, s[j], target, 1);
        std::swap(reachable, other);
    }
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned* other, int n, int target) {
    if (n % 2 == 1) std::swap(reachable, other);
    cudaMemsetAsync(reachable, 0, (target / 32 + 1) * sizeof(unsigned));
    cudaMemsetAsync(reachable, 1, 1);
    for (int j = 0; j < n; ++j) {
        next_bits_kernel<<<target / 32 / (256 * kElements) + 1, 256>>>(reachable, other, s[j],
                                                                       target);
        std::swap(reachable, other);
    }
}
