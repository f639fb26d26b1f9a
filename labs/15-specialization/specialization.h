// Contract of lab 15: the functions that specialization.cu defines and the grader calls.
//
// All pointers are device pointers, as cudaMalloc gives them, and no two arrays overlap. Inputs are
// not changed. Any n from 0 to 100,000,000 is legal. Scratch memory holds garbage before the call,
// and its contents afterwards do not matter. Kernels may still be running when a function returns:
// the caller synchronizes. No CUDA error is left behind, and no memory that a call allocates.
//
// Names: the kernels that run launches begin with "run", and blend's begin with "blend". So the
// tests find them in the assembler's report.
#pragma once

#include "protocol/contract.h"

/// What `run` does to each element, in this order. Each is done only if its flag is set.
constexpr unsigned kClamp = 1;   ///< values below 0 become 0, and above 1 become 1
constexpr unsigned kSpread = 2;  ///< the sum of squares after heat has spread: see `spread`
constexpr unsigned kInvert = 4;  ///< x becomes 1 - x
constexpr unsigned kFlags = 8;   ///< how many combinations there are

/// y[i] = x[i] after all operations whose flags are set. 0 <= flags < kFlags.
LAB_FUNCTION(void, run, (const float* x, float* y, int n, unsigned flags), lab::device_in("x", "n"),
             lab::device_out("y", "n"), lab::value("n"), lab::value("flags"))

/// The most frames that `blend` is called with.
constexpr int kMostFrames = 9;

/// Out of several photographs of one place, one without the people who walked through: out[i] is
/// the median of frames[i], frames[n + i], ... frames[(count - 1) * n + i]. For an even count, of
/// the two in the middle, the smaller one. 1 <= count <= kMostFrames. No frame holds a NaN.
LAB_FUNCTION(void, blend, (const float* frames, float* out, int n, int count),
             lab::device_in("frames", "n * count"), lab::device_out("out", "n"), lab::value("n"),
             lab::value("count"))

/// What a reduction does with two elements. Of nothing (n = 0) the result is what is in brackets.
constexpr int kSum = 0;        ///< x + y, in any order [0]
constexpr int kMaximum = 1;    ///< [floats: -infinity; ints: the smallest int]
constexpr int kMinimum = 2;    ///< [floats: infinity; ints: the largest int]
constexpr int kMagnitude = 3;  ///< the largest absolute value [0]

/// The number of elements of `partial`: the most blocks that the first launch has.
constexpr int kMostBlocks = 1024;

/// *result = all elements of a, reduced by one of the four operators. No element is a NaN.
LAB_FUNCTION(void, reduce_floats, (const float* a, float* partial, float* result, int n, int op),
             lab::device_in("a", "n"), lab::device_scratch("partial", "1024"),
             lab::device_out("result", "1"), lab::value("n"), lab::value("op"))

/// The same for ints. No sum leaves the range of int, and no element is the smallest int.
LAB_FUNCTION(void, reduce_ints, (const int* a, int* partial, int* result, int n, int op),
             lab::device_in("a", "n"), lab::device_scratch("partial", "1024"),
             lab::device_out("result", "1"), lab::value("n"), lab::value("op"))

/// Whether kernel suspect_0, suspect_1, ... of specialization.cu uses local memory: 1 or 0. Any
/// other number: not answered yet. 0 <= suspect < 6.
LAB_FUNCTION(int, uses_local_memory, (int suspect), lab::value("suspect"))
