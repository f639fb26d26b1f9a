// The answers of lab 15 on the CPU, and those of well-known wrong programs.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"
#include "specialization.h"

using Floats = std::vector<float>;
using Ints = std::vector<int>;

/// What `run` leaves, computed in double, and how far off a computation in float may be.
struct RunAnswer {
    Floats value;
    std::vector<double> tolerance;  ///< 0 without kSpread: then nothing is rounded but 1 - x
};
RunAnswer cpu_run(const Floats& x, unsigned flags);
/// "flags = 3: kClamp, kSpread"
std::string flags_text(unsigned flags);
/// Recognises what other flags make of x, which must outlive the answer.
lab::Diagnoser other_flags(const Floats& x, unsigned flags);

/// The medians of `count` frames of n floats each.
Floats cpu_blend(const Floats& frames, int n, int count);
std::vector<lab::KnownMistake<Floats>> mistakes_of_blend(const Floats& frames, int n, int count);
/// Recognises results that are values of their pixels, or their mean. `frames` must outlive it.
lab::Diagnoser not_in_order(const Floats& frames);

/// The name of an operator: "kMaximum".
const char* operator_name(int op);
/// Exact, but for sums of floats, which are computed in double.
float cpu_reduce(const Floats& a, int op);
int cpu_reduce(const Ints& a, int op);
/// Rounding errors of a sum of n floats between -1 and 1, in any order: 8 standard deviations.
double sum_tolerance(const Floats& a);
std::vector<lab::KnownMistake<Floats>> mistakes_of_reduction(const Floats& a, int op);
std::vector<lab::KnownMistake<Ints>> mistakes_of_reduction(const Ints& a, int op);

/// Recognises, for all operators but sums: the sum; that of what blocks of 256 threads have found,
/// each in its own 256 elements; and a search that begins with a number no element replaces. `a`
/// must outlive the answer.
template <class T>
lab::Diagnoser other_reduction(const std::vector<T>& a, int op);
