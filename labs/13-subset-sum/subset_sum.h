// Contract of lab 13: the three functions that subset_sum.cu defines and the grader calls.
//
// A column of flags says which sums 0, 1, ..., target some items can make. Each item may be used
// once, or not at all. Any 0 <= target <= 1,000,000,000 is legal, and any item >= 1: also items
// larger than the target. Device pointers are as cudaMalloc gives them, aligned to 256 bytes, and
// arrays do not overlap. The kernels may still be running when a function returns: the caller
// synchronizes. No CUDA error is left behind, and all memory that a function allocates is freed.
#pragma once

#include "protocol/contract.h"

/// One column from the one before: next[i] = column[i], or 1 if i >= item and column[i - item] is
/// 1, for 0 <= i <= target.
///
/// column and next are device pointers to target + 1 flags, each 0 or 1. Each thread computes up to
/// `chunk` elements, 1 <= chunk <= 1024; the result does not depend on it.
LAB_FUNCTION(void, next_column,
             (const unsigned char* column, unsigned char* next, int item, int target, int chunk),
             lab::device_in("column", "target + 1"), lab::device_out("next", "target + 1"),
             lab::value("item"), lab::value("target"), lab::value("chunk"))

/// reachable[i] = 1 if some of the items s[0], ..., s[n - 1] have the sum i, otherwise 0, for
/// 0 <= i <= target.
///
/// s is a HOST pointer to n items, n >= 0. reachable and other are device pointers to target + 1
/// flags, and hold garbage before; what is left in other does not matter. No items have the sum 0,
/// so reachable[0] is always 1.
LAB_FUNCTION(void, subset_sum,
             (const int* s, unsigned char* reachable, unsigned char* other, int n, int target),
             lab::host_in("s", "n"), lab::device_out("reachable", "target + 1"),
             lab::device_scratch("other", "target + 1"), lab::value("n"), lab::value("target"))

/// The same, with 32 flags in a word: bit b of reachable[w] is the flag of the sum 32 w + b (bit 0
/// is the lowest). Bits of sums above the target are 0.
///
/// s is a HOST pointer to n items. reachable and other are device pointers to target / 32 + 1
/// words, and hold garbage before.
LAB_FUNCTION(void, subset_sum_bits,
             (const int* s, unsigned* reachable, unsigned* other, int n, int target),
             lab::host_in("s", "n"), lab::device_out("reachable", "target / 32 + 1"),
             lab::device_scratch("other", "target / 32 + 1"), lab::value("n"), lab::value("target"))
