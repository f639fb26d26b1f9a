// Lab 13: Subset sum. Which sums can some of these numbers make? One column of
// a table after the other, each computed by many threads at once.
//
//   Handout   labs/13-subset-sum/README.md
//   Check     ./lab grade 13
//   Stuck     ./lab hint 13

#include "subset_sum.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

inline void stop_on_error(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

#define CUDA_CHECK(call) stop_on_error((call), #call, __FILE__, __LINE__)

using Flag = unsigned char;  // 0 or 1

constexpr int kThreads = 256;

// ---------------------------------------------------------------------------
// Given: all of it on the CPU, one sum after the other. Read it first.

/// table has n + 1 columns of target + 1 flags, one behind the other. Column j
/// says which sums the first j items can make.
inline void cpu_subset_sum(const int* s, Flag* table, int n, int target) {
    const std::size_t rows = target + 1;
    for (int i = 0; i <= target; ++i) table[i] = i == 0;  // no items: only the sum 0
    for (int j = 1; j <= n; ++j) {
        const Flag* column = table + (j - 1) * rows;
        Flag* next = table + j * rows;
        const int item = s[j - 1];
        for (int i = 0; i <= target; ++i) {
            next[i] = column[i];                         // without the item
            if (i >= item) next[i] |= column[i - item];  // with it
        }
    }
}

// ---------------------------------------------------------------------------
// Tasks 1 and 3: one column from the one before. column and next have
// target + 1 flags.
//
//   column  [1 0 1 0 1 0 0 0]     item = 3
//                 \___  |
//                     \ |
//   next    [1 0 1 1 1 1 0 1]     next[5] = column[5] | column[2]

__global__ void next_column_kernel(const Flag* column, Flag* next, int item, int target) {
    // TODO(1/4): Compute this thread's index i in the grid. If there is a sum i,
    //            store its flag in next[i]: one round of the inner loop above.
    //            About 5 lines. Handout: "One column".
    //
    // TODO(3/4): Later: go on with i + stride, i + 2 stride, ..., where stride is
    //            the number of threads in the grid.
    //            About 2 lines. Handout: "Chunks".
}

void next_column(const Flag* column, Flag* next, int item, int target, int chunk) {
    const int blocks = target / (kThreads * chunk) + 1;  // for target + 1 elements
    next_column_kernel<<<blocks, kThreads>>>(column, next, item, target);
    CUDA_CHECK(cudaGetLastError());
}

// ---------------------------------------------------------------------------
// Task 2: one launch a column, as no barrier inside a kernel waits for the grid.

// TODO(3/4), second half: Elements a thread. Try 2, 4, 8, 16, and keep the best.
inline constexpr int kChunk = 1;

void subset_sum(const int* s, Flag* reachable, Flag* other, int n, int target) {
    // TODO(2/4): Make column 0 in one of the two arrays. Then call next_column
    //            for each item, from one array to the other and back, so that
    //            the last column comes to lie in `reachable`.
    //            About 8 lines. Handout: "All columns".
}

// ---------------------------------------------------------------------------
// Task 4: 32 flags in a word. A thread computes a word of the next column.

__global__ void next_bits_kernel(const unsigned* column, unsigned* next, int item, int target) {
    // TODO(4/4): next = column | (column << item), where the shift goes across
    //            the words: item / 32 words and item % 32 bits. Bits of sums
    //            above the target stay 0.
    //            About 10 lines. Handout: "Flags as bits".
}

void subset_sum_bits(const int* s, unsigned* reachable, unsigned* other, int n, int target) {
    // TODO(4/4), second half: As subset_sum, with target / 32 + 1 words.
    //            About 11 lines.
}
