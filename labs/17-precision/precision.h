// Contract of lab 17: the seven functions that precision.cu defines and the grader calls.
//
// All pointers are device pointers, as cudaMalloc gives them, and no two arrays overlap. Any n from
// 0 on is legal. What is only read is not changed. No memory that a call allocates is left.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "protocol/contract.h"

// ---------------------------------------------------------------------------
// y[i] = a * x[i] + y[i] for 0 <= i < n, rounded once: the product is not rounded before the sum.
//
//   float, double        arithmetic in this type: the exact a * x[i] + y[i], rounded to the type
//   __half, bfloat16     arithmetic in float as above, and its result rounded to the 16 bits.
//                        `a` is a float, and has digits that 16 bits do not hold.
//
// Rounded means to the nearest, and of two equally near to the even one.

LAB_FUNCTION(void, axpy_float, (float a, const float* x, float* y, int n), lab::value("a"),
             lab::device_in("x", "n"), lab::device_in_out("y", "n"), lab::value("n"))
LAB_FUNCTION(void, axpy_double, (double a, const double* x, double* y, int n), lab::value("a"),
             lab::device_in("x", "n"), lab::device_in_out("y", "n"), lab::value("n"))
LAB_FUNCTION(void, axpy_half, (float a, const __half* x, __half* y, int n), lab::value("a"),
             lab::device_in("x", "n"), lab::device_in_out("y", "n"), lab::value("n"))
LAB_FUNCTION(void, axpy_bfloat, (float a, const __nv_bfloat16* x, __nv_bfloat16* y, int n),
             lab::value("a"), lab::device_in("x", "n"), lab::device_in_out("y", "n"),
             lab::value("n"))

/// *sum = a[0] + ... + a[n - 1]. The elements are halves, their sum is a float: as exact as one of
/// floats, in any order, and far above 65,504, the largest half.
LAB_FUNCTION(void, sum_half, (const __half* a, float* sum, int n), lab::device_in("a", "n"),
             lab::device_out("sum", "1"), lab::value("n"))

/// A sum in two floats: `sum`, and what was lost when it was rounded. Together, sum + error.
struct Pair {
    float sum;
    float error;
};

/// The number of elements of `partial`, more than any GPU holds blocks of 256 threads at once.
constexpr int kMostBlocks = 2048;

/// *sum = a[0] + ... + a[n - 1], although large terms cancel. It may be off by 1 in its last digit,
/// and by 2^-40 of |a[0]| + ... + |a[n - 1]|. `partial` is scratch memory with kMostBlocks
/// elements.
LAB_FUNCTION(void, sum_compensated, (const float* a, Pair* partial, float* sum, int n),
             lab::device_in("a", "n"), lab::device_scratch("partial", "2048"),
             lab::device_out("sum", "1"), lab::value("n"))

/// y[i] = w[0] sin(x[i]) + w[1] sin(2 x[i]) + ... + w[terms - 1] sin(terms x[i]) for 0 <= i < n.
/// Each sine may be off by 2e-6. All |terms * x[i]| are at most 1,000,000 and in radians. x[i] is a
/// multiple of 1/16, so that k * x[i] is exact in float. 0 <= terms <= 64.
LAB_FUNCTION(void, sines, (const float* x, const float* w, float* y, int n, int terms),
             lab::device_in("x", "n").kept_as_made(), lab::device_in("w", "terms"),
             lab::device_out("y", "n"), lab::value("n"), lab::value("terms"))
