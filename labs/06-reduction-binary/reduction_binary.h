// Contract of lab 06: the functions that reduction_binary.cu defines and the grader calls.
//
// All pointers are device pointers, and no two arrays overlap. `a` holds ordinary numbers: no NaN
// and no infinity. Any n from 0 to 1,000,000,000 is legal. A sum may add in any order, as long as
// no number goes through more than about a thousand additions. Kernels may still be running when a
// function returns: the caller synchronizes. No CUDA error is left behind.
#pragma once

#include "protocol/contract.h"

/// The smallest and the largest of some numbers, and their sum. Of no numbers at all: infinity,
/// -infinity and 0.
struct MinMaxSum {
    float min, max, sum;
};

/// sums[b] = the sum of the numbers of block b: a[b * T] to a[b * T + T - 1], T standing for
/// threads_per_block. The last block may have fewer.
///
/// `a` has n numbers, `sums` one element for each block that has any. 1 <= threads_per_block <=
/// 1024, and it need not be a power of two. n = 0: nothing happens.
LAB_FUNCTION(void, block_sums, (const float* a, float* sums, int n, int threads_per_block),
             lab::device_in("a", "n"), lab::device_out("sums", "ceil_div(n, threads_per_block)"),
             lab::value("n"), lab::value("threads_per_block"))

/// *total = a[0] + ... + a[n - 1], computed by one block of threads_per_block threads. n = 0: 0.
LAB_FUNCTION(void, one_block_sum, (const float* a, float* total, int n, int threads_per_block),
             lab::device_in("a", "n"), lab::device_out("total", "1"), lab::value("n"),
             lab::value("threads_per_block"))

/// The same, using the whole GPU. n = 0: 0.
///
/// `scratch` has room for intermediate results: ceil(n / 32) floats, one per warp. It holds nothing
/// useful before the call, and its contents afterwards do not matter.
LAB_FUNCTION(void, sum, (const float* a, float* scratch, float* total, int n),
             lab::device_in("a", "n"), lab::device_scratch("scratch", "ceil_div(n, 32)"),
             lab::device_out("total", "1"), lab::value("n"))

/// *result = smallest, largest and sum of a[0] to a[n - 1], using the whole GPU, and reading `a`
/// only once. `scratch` has room for ceil(n / 32) intermediate results.
LAB_FUNCTION(void, min_max_sum, (const float* a, MinMaxSum* scratch, MinMaxSum* result, int n),
             lab::device_in("a", "n"), lab::device_scratch("scratch", "ceil_div(n, 32)"),
             lab::device_out("result", "1"), lab::value("n"))
