// Contract of lab 12: the three functions that argmax.cu defines and the grader calls.
//
// All three compute the same: *best = the maximum of a[0] to a[n - 1] and the index of it.
//
//   equal numbers   the first of them is the best: the smallest index. -0 equals 0.
//   NaN             is larger than all numbers, infinity included; the first NaN is the best.
//                   (numpy.argmax does the same.)
//   no elements     n = 0: value -infinity, index -1.
//
// All pointers are device pointers, as cudaMalloc gives them, and no two arrays overlap. `a` is not
// changed. Any n from 0 to 1,000,000,000 is legal. Scratch memory holds garbage before the call,
// and its contents afterwards do not matter. Kernels may still be running when a function returns:
// the caller synchronizes. No CUDA error is left behind, and no memory that a call allocates.
#pragma once

#include "protocol/contract.h"

/// An element: its value, and where it is. A value of -0 may be stored as 0.
struct Best {
    float value;
    int index;
};

/// The number of elements of `partial`, more than any GPU holds blocks of 256 threads at once.
constexpr int kMostBlocks = 2048;

/// By one block.
LAB_FUNCTION(void, argmax_block, (const float* a, Best* best, int n), lab::device_in("a", "n"),
             lab::device_out("best", "1"), lab::value("n"))

/// By the whole GPU, in two steps: each block leaves the best of its elements in `partial`, scratch
/// memory with kMostBlocks elements; then one block finds the best of those.
LAB_FUNCTION(void, argmax, (const float* a, Best* partial, Best* best, int n),
             lab::device_in("a", "n"), lab::device_scratch("partial", "2048"),
             lab::device_out("best", "1"), lab::value("n"))

/// By the whole GPU, with atomicMax on *key, scratch memory: 64 bits, value and index together.
LAB_FUNCTION(void, argmax_packed, (const float* a, unsigned long long* key, Best* best, int n),
             lab::device_in("a", "n"), lab::device_scratch("key", "1"),
             lab::device_out("best", "1"), lab::value("n"))
