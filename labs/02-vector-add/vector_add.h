// Contract of lab 02: the two functions that vector_add.cu defines and the grader calls.
#pragma once

#include "protocol/contract.h"

/// c[i] = a[i] + b[i] for 0 <= i < n, computed by a kernel.
///
/// a, b and c are device pointers to n floats each, and do not overlap. Any n >= 0 is legal; with
/// n = 0 nothing happens, and no CUDA error is left behind. The kernel may still be running when
/// the function returns: the caller synchronizes.
LAB_FUNCTION(void, launch_vector_add, (const float* a, const float* b, float* c, int n),
             lab::device_in("a", "n"), lab::device_in("b", "n"), lab::device_out("c", "n"),
             lab::value("n"))

/// The same sum for vectors in ordinary host memory. Allocates device memory, copies a and b there,
/// adds, copies c back, and frees all memory that it allocated.
///
/// a, b and c are host pointers to n floats each, and do not overlap. Any n >= 0 is legal. When the
/// function returns, c is complete.
LAB_FUNCTION(void, vector_add, (const float* a, const float* b, float* c, int n),
             lab::host_in("a", "n"), lab::host_in("b", "n"), lab::host_out("c", "n"),
             lab::value("n"))
