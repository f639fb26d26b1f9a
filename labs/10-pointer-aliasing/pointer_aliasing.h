// Contract of lab 10: the three functions that pointer_aliasing.cu defines and the grader calls.
#pragma once

#include "protocol/contract.h"

/// Parts go through this many baths in each cycle.
constexpr int kBaths = 4;

/// temperature[i], for 0 <= i < n, is the temperature of part i, which starts at start[i], after it
/// has gone `cycles` times through the baths 0, 1, ..., kBaths - 1 in this order. In bath k, a part
/// of temperature t changes to
///
///     t + rate[k] * (bath[k] - t)
///
/// All are device pointers; start and temperature have n floats, rate and bath kBaths. No two of
/// the arrays overlap: anneal may rely on it. Any n >= 0 and cycles >= 0 are legal; with n = 0
/// nothing happens, and no CUDA error is left behind. All rounding of float arithmetic is allowed.
/// The kernel may still be running when the function returns: the caller synchronizes.
LAB_FUNCTION(void, anneal,
             (const float* start, const float* rate, const float* bath, float* temperature, int n,
              int cycles),
             lab::device_in("start", "n"), lab::device_in("rate", "4"), lab::device_in("bath", "4"),
             lab::device_out("temperature", "n"), lab::value("n"), lab::value("cycles"))
static_assert(kBaths == 4, "the extents above repeat it");

/// A call of anneal whose four arrays lie in one pool of floats:
/// anneal(pool + start, pool + rate, pool + bath, pool + temperature, n, cycles), with cycles >= 1.
struct AnnealCall {
    int start, rate, bath, temperature;  ///< where each array begins
    int n;                               ///< n >= 0
};

/// Which of these calls break the promise? It says that the array that anneal writes shares no
/// element with an array that it reads. Bit k of the result is 1 if calls[k] breaks it, and all
/// other bits are 0.
///
/// Only elements that anneal accesses count: n of start and of temperature, kBaths of rate and of
/// bath, and none at all with n = 0. Arrays that are only read may share elements.
///
/// calls is a host pointer to `count` calls, 0 <= count <= 32. Nothing is launched.
LAB_FUNCTION(unsigned, promise_breakers, (const AnnealCall* calls, int count),
             lab::host_in("calls", "count"), lab::value("count"))

/// out[i] = in[i + 1] - in[i] for 0 <= i < n, with in as it was before the call.
///
/// in and out are device pointers; in has n + 1 floats, out has n. They may overlap in any way: the
/// result is the same as if they did not. The part of in that out overlaps is overwritten; the rest
/// is not changed. Any n >= 0 is legal; with n = 0 nothing happens. All allocated memory is freed,
/// and no CUDA error is left behind. The kernel may still be running when the function returns.
LAB_FUNCTION(void, differences, (const float* in, float* out, int n), lab::device_in("in", "n + 1"),
             lab::device_out("out", "n").view_of("in"), lab::value("n"))
