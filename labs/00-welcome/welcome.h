// Contract of lab 00: the function that welcome.cu defines and the grader calls.
#pragma once

#include "protocol/contract.h"

/// b[i] = 2 * a[i] for 0 <= i < n, computed by a kernel.
///
/// a and b are device pointers to n floats each, and do not overlap. Any n >= 0 is legal. The
/// kernel may still be running when the function returns: the caller synchronizes.
LAB_FUNCTION(void, double_all, (const float* a, float* b, int n), lab::device_in("a", "n"),
             lab::device_out("b", "n"), lab::value("n"))
