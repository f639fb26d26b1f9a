// Right: with few items, a thread for each subset adds them up and stores its sum's flag. The table
// is for more items. Blocks have 128 threads.

#include "subset_sum.h"

#include <utility>

constexpr int kThreads = 128;
constexpr int kFewItems = 10;

struct Items {
    int s[kFewItems];
};

__device__ long long subset_total(const Items& items, int n, unsigned subset) {
    long long total = 0;
    for (int j = 0; j < n; ++j) {
        if (subset >> j & 1) total += items.s[j];
    }
    return total;
}

__global__ void flags_kernel(Items items, unsigned char* reachable, int n, int target) {
    const unsigned subset = blockIdx.x * blockDim.x + threadIdx.x;
    if (subset >= 1u << n) return;
    const long long total = subset_total(items, n, subset);
    if (total <= target) reachable[total] = 1;
}

__global__ void bits_kernel(Items items, unsigned* reachable, int n, int target) {
    const unsigned subset = blockIdx.x * blockDim.x + threadIdx.x;
    if (subset >= 1u << n) return;
    const long long total = subset_total(items, n, subset);
    if (total <= target) atomicOr(&reachable[total / 32], 1u << total % 32);
}

__global__ void next_column_kernel(const unsigned char* column, unsigned char* next, int item,
                                   int target, int chunk) {
    // A block's elements lie together, and its threads take turns.
    const long long begin = 1LL * blockIdx.x * blockDim.x * chunk;
    for (int k = 0; k < chunk; ++k) {
        const long long i = begin + 1LL * k * blockDim.x + threadIdx.x;
        if (i > target) return;
        next[i] = column[i] || (i >= item && column[i - item]);
    }
}

__global__ void next_bits_kernel(const unsigned* column, unsigned* next, int item, int target) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w > target / 32) return;
    // Bit by bit where the item is smaller than a word, and as 64 bits otherwise: both are right.
    const long long first = 32LL * w - item;
    const long long lower = (first + 32) / 32 - 1;  // rounded down, as first >= -32 here
    unsigned long long both = 0;
    if (first > -32) {
        if (lower >= 0) both = column[lower];
        if (lower + 1 <= w) both |= static_cast<unsigned long long>(column[lower + 1]) << 32;
    }
    unsigned flags = column[w] | static_cast<unsigned>(both >> (first - 32 * lower));
    const long long above = 32LL * w + 31 - target;
    if (above > 0) flags &= ~0u >> above;
    next[w] = flags;
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target,
                 int chunk) {
    const int blocks = target / (kThreads * chunk) + 1;
    next_column_kernel<<<blocks, kThreads>>>(column, next, item, target, chunk);
}

static Items first_items(const int* s, int n) {
    Items items{};
    for (int j = 0; j < n; ++j) items.s[j] = s[j];
    return items;
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    if (n <= kFewItems) {
        cudaMemsetAsync(reachable, 0, target + 1);
        flags_kernel<<<(1 << n) / kThreads + 1, kThreads>>>(first_items(s, n), reachable, n,
                                                            target);
        return;
    }
    if (n % 2 == 1) std::swap(reachable, other);
    cudaMemsetAsync(reachable, 0, target + 1);
    cudaMemsetAsync(reachable, 1, 1);
    for (int j = 0; j < n; ++j) {
        next_column(reachable, other, s[j], target, 4);
        std::swap(reachable, other);
    }
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned* other, int n, int target) {
    const size_t bytes = (target / 32 + 1) * sizeof(unsigned);
    if (n <= kFewItems) {
        cudaMemsetAsync(reachable, 0, bytes);
        bits_kernel<<<(1 << n) / kThreads + 1, kThreads>>>(first_items(s, n), reachable, n, target);
        return;
    }
    if (n % 2 == 1) std::swap(reachable, other);
    cudaMemsetAsync(reachable, 0, bytes);
    cudaMemsetAsync(reachable, 1, 1);
    for (int j = 0; j < n; ++j) {
        next_bits_kernel<<<target / 32 / kThreads + 1, kThreads>>>(reachable, other, s[j], target);
        std::swap(reachable, other);
    }
}
