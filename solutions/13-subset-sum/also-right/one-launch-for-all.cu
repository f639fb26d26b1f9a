// Right: one cooperative launch for all columns. grid.sync() waits for the whole grid, which is
// possible because all its blocks are resident. The kernel reads the items from device memory.

#include "subset_sum.h"

#include <cooperative_groups.h>

#include <algorithm>

namespace cg = cooperative_groups;

__device__ void store_next(const unsigned char* column, unsigned char* next, int item, int target,
                           long long begin, long long step) {
    for (long long i = begin; i <= target; i += step) {
        next[i] = column[i] | (i >= item ? column[i - item] : 0);
    }
}

__device__ void store_next(const unsigned* column, unsigned* next, int item, int target,
                           long long begin, long long step) {
    const int last = target / 32, words = item / 32, bits = item % 32;
    for (long long w = begin; w <= last; w += step) {
        unsigned flags = column[w];
        if (w >= words) flags |= column[w - words] << bits;
        if (w > words && bits > 0) flags |= column[w - words - 1] >> (32 - bits);
        if (w == last && target % 32 < 31) flags &= (2u << target % 32) - 1;
        next[w] = flags;
    }
}

template <class Word>
__global__ void all_columns_kernel(const int* s, Word* column, Word* next, int n, int target) {
    const cg::grid_group grid = cg::this_grid();
    const long long begin = grid.thread_rank(), step = grid.size();
    for (int j = 0; j < n; ++j) {
        store_next(column, next, s[j], target, begin, step);
        grid.sync();
        Word* const before = column;
        column = next;
        next = before;
    }
}

__global__ void next_column_kernel(const unsigned char* column, unsigned char* next, int item,
                                   int target) {
    const cg::grid_group grid = cg::this_grid();
    store_next(column, next, item, target, grid.thread_rank(), grid.size());
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target,
                 int chunk) {
    next_column_kernel<<<target / (1024 * chunk) + 1, 1024>>>(column, next, item, target);
}

template <class Word>
void all_columns(const int* s, Word* reachable, Word* other, int n, int target, int words) {
    Word* column = n % 2 == 0 ? reachable : other;
    Word* next = n % 2 == 0 ? other : reachable;
    cudaMemsetAsync(column, 0, words * sizeof(Word));
    cudaMemsetAsync(column, 1, 1);
    if (n == 0) return;
    int* items;
    cudaMallocAsync(&items, n * sizeof(int), 0);
    cudaMemcpyAsync(items, s, n * sizeof(int), cudaMemcpyHostToDevice);
    int multiprocessors = 0, blocks = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, all_columns_kernel<Word>, 256, 0);
    const int useful_blocks = (words - 1) / 256 + 1;
    blocks = std::min(useful_blocks, blocks * multiprocessors);
    const int* items_on_device = items;
    void* arguments[] = {&items_on_device, &column, &next, &n, &target};
    cudaLaunchCooperativeKernel(all_columns_kernel<Word>, dim3(blocks), dim3(256), arguments);
    cudaFreeAsync(items, 0);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char* other, int n, int target) {
    all_columns(s, reachable, other, n, target, target + 1);
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned* other, int n, int target) {
    all_columns(s, reachable, other, n, target, target / 32 + 1);
}
