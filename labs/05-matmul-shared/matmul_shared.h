// Contract of lab 05: the three functions that matmul_shared.cu defines and the grader calls.
//
// All three compute the matrix product c = a * b,
//
//   c[row][col] = a[row][0] * b[0][col] + a[row][1] * b[1][col] + ... + a[row][k-1] * b[k-1][col]
//
// where a is (m, k), b is (k, n) and c is (m, n). All are row-major without padding: element
// (row, col) of b is b[row * n + col]. The pointers are device pointers to arrays that do not
// overlap; c holds nothing useful before the call.
//
// m, k and n are at least 0, m is at most 65,535, and each matrix has fewer than 2^31 elements.
// With m = 0 or n = 0 nothing happens; with k = 0 every element of c becomes 0. No CUDA error is
// left behind. The kernel may still be running when a function returns: the caller synchronizes.
//
// Numbers and sums are floats. The order of a sum is free; less precise types are not enough.
#pragma once

#include "protocol/contract.h"

/// c = a * b, with tiles of a and b in static shared memory.
LAB_FUNCTION(void, matmul_tiled, (const float* a, const float* b, float* c, int m, int k, int n),
             lab::device_in("a", "m * k"), lab::device_in("b", "k * n"),
             lab::device_out("c", "m * n"), lab::value("m"), lab::value("k"), lab::value("n"))

/// c = a * b, with tiles of tile x tile elements in dynamic shared memory, computed by blocks of
/// tile x tile threads. 1 <= tile <= 32.
LAB_FUNCTION(void, matmul_dynamic,
             (const float* a, const float* b, float* c, int m, int k, int n, int tile),
             lab::device_in("a", "m * k"), lab::device_in("b", "k * n"),
             lab::device_out("c", "m * n"), lab::value("m"), lab::value("k"), lab::value("n"),
             lab::value("tile"))

/// c = a * b, with tiles in shared memory, and several elements of c per thread.
LAB_FUNCTION(void, matmul_coarsened,
             (const float* a, const float* b, float* c, int m, int k, int n),
             lab::device_in("a", "m * k"), lab::device_in("b", "k * n"),
             lab::device_out("c", "m * n"), lab::value("m"), lab::value("k"), lab::value("n"))
