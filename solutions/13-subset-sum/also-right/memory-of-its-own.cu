// Right: the columns lie in memory of its own, each beside the one before, on a stream of its own.
// `other` is not used. A column is a copy of the one before, to which the item is added; the copy
// is a whole-array operation. A template serves bytes and words.

#include "subset_sum.h"

#include <algorithm>

template <class Word>
__device__ Word flags_before(const Word* column, int w, int item) {
    constexpr int kBits = sizeof(Word) == 1 ? 1 : 8 * sizeof(Word);
    const int words = item / kBits, bits = item % kBits;
    Word flags = w >= words ? column[w - words] << bits : 0;
    if (bits > 0 && w > words) flags |= column[w - words - 1] >> (kBits - bits);
    return flags;
}

template <class Word>
__global__ void add_item_kernel(const Word* column, Word* next, int item, int words) {
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += stride) {
        const Word flags = flags_before(column, static_cast<int>(w), item);
        if (flags != 0) next[w] |= flags;
    }
}

__global__ void clear_above_kernel(unsigned* word, int used_bits) {
    *word &= 0xffffffffu >> (32 - used_bits);
}

template <class Word>
void add_item(const Word* column, Word* next, int item, int words, cudaStream_t stream) {
    cudaMemcpyAsync(next, column, words * sizeof(Word), cudaMemcpyDeviceToDevice, stream);
    const int blocks = std::min((words - 1) / 192 + 1, 4224);
    add_item_kernel<<<blocks, 192, 0, stream>>>(column, next, item, words);
}

template <class Word>
void last_column(const int* s, Word* reachable, int n, int words) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    Word* columns;
    cudaMallocAsync(&columns, 2 * words * sizeof(Word), stream);
    cudaMemsetAsync(columns, 0, words * sizeof(Word), stream);
    cudaMemsetAsync(columns, 1, 1, stream);
    for (int j = 0; j < n; ++j) {
        add_item(columns + j % 2 * words, columns + (j + 1) % 2 * words, s[j], words, stream);
    }
    cudaMemcpyAsync(reachable, columns + n % 2 * words, words * sizeof(Word),
                    cudaMemcpyDeviceToDevice, stream);
    cudaFreeAsync(columns, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

void next_column(const unsigned char* column, unsigned char* next, int item, int target, int) {
    add_item(column, next, item, target + 1, 0);
}

void subset_sum(const int* s, unsigned char* reachable, unsigned char*, int n, int target) {
    last_column(s, reachable, n, target + 1);
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned*, int n, int target) {
    last_column(s, reachable, n, target / 32 + 1);
    clear_above_kernel<<<1, 1>>>(reachable + target / 32, target % 32 + 1);
}
