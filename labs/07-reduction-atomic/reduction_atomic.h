// Contract of lab 07: the functions that reduction_atomic.cu defines and the grader calls.
//
// All pointers are device pointers, and no two arrays overlap. Any n from 0 to 1,000,000,000 is
// legal. Results are set, not added to what was there. Kernels may still be running when a function
// returns: the caller synchronizes. No CUDA error is left behind.
#pragma once

#include "protocol/contract.h"

/// The lowest and the highest of some integers. Of no integers: INT_MAX and INT_MIN.
struct IntRange {
    int lowest, highest;
};

/// *total = a[0] + ... + a[n - 1]. The sum and all partial sums fit an int. n = 0: 0.
LAB_FUNCTION(void, sum_of_ints, (const int* a, int* total, int n), lab::device_in("a", "n"),
             lab::device_out("total", "1"), lab::value("n"))

/// The same for floats, added in any order. `a` holds no NaN and no infinity. n = 0: 0.
LAB_FUNCTION(void, sum_of_floats, (const float* a, float* total, int n), lab::device_in("a", "n"),
             lab::device_out("total", "1"), lab::value("n"))

/// *range = the lowest and the highest of a[0] to a[n - 1].
LAB_FUNCTION(void, range_of_ints, (const int* a, IntRange* range, int n), lab::device_in("a", "n"),
             lab::device_out("range", "1"), lab::value("n"))

/// *largest = the largest of a[0] to a[n - 1], of which none is a NaN. n = 0: -infinity.
LAB_FUNCTION(void, max_of_floats, (const float* a, float* largest, int n), lab::device_in("a", "n"),
             lab::device_out("largest", "1"), lab::value("n"))

/// Like sum_of_floats, but each block adds up its own elements first. Global memory gets one atomic
/// operation per block (a few more do no harm), not one per element.
LAB_FUNCTION(void, block_first_sum, (const float* a, float* total, int n), lab::device_in("a", "n"),
             lab::device_out("total", "1"), lab::value("n"))

/// counts[k] = the number of keys[0] to keys[n - 1] that equal k, for 0 <= k < bins. Every key is
/// at least 0 and below `bins`. 1 <= bins <= 1024. n = 0: all counts are 0. Each block counts in
/// shared memory first.
LAB_FUNCTION(void, histogram, (const int* keys, int* counts, int n, int bins),
             lab::device_in("keys", "n"), lab::device_out("counts", "bins"), lab::value("n"),
             lab::value("bins"))
