// Contract of lab 08: the three functions that reduction_hybrid.cu defines and the grader calls.
//
// a is a device pointer to n floats, as cudaMalloc gives it: aligned to 256 bytes, and not changed.
// Any n >= 0 is legal. The kernels may still be running when a function returns: the caller
// synchronizes. Sums are of floats, added in any order; a result is right if it lies within the
// rounding errors.
#pragma once

#include "protocol/contract.h"

/// *sum = a[0] + ... + a[n - 1], by a kernel with one thread per element. Each block adds up its
/// elements in a tree in shared memory, then adds its sum to *sum with one atomicAdd.
///
/// *sum holds garbage before. With n = 0 it becomes 0.
LAB_FUNCTION(void, sum_hybrid, (const float* a, float* sum, int n), lab::device_in("a", "n"),
             lab::device_out("sum", "1"), lab::value("n"))

/// sums[w] = a[32 w] + ... + a[32 w + 31]: one sum for each warp's worth of elements, in a kernel
/// that exchanges them by shuffles. The last sum has fewer than 32 terms when n is not a multiple.
///
/// sums is a device pointer to (n + 31) / 32 floats. With n = 0 nothing happens, and no CUDA error
/// is left behind.
LAB_FUNCTION(void, sum_warps, (const float* a, float* sums, int n), lab::device_in("a", "n"),
             lab::device_out("sums", "(n + 31) / 32"), lab::value("n"))

/// *sum = a[0] + ... + a[n - 1] again, as fast as you can.
///
/// *sum holds garbage before. With n = 0 it becomes 0.
LAB_FUNCTION(void, sum_fast, (const float* a, float* sum, int n), lab::device_in("a", "n"),
             lab::device_out("sum", "1"), lab::value("n"))
