// The answer of lab 12 on the CPU, and data that tell its mistakes apart.
#pragma once

#include <ostream>
#include <span>
#include <vector>

#include "argmax.h"
#include "check/check.h"

using Floats = std::vector<float>;

/// Equal if they name the same element: the same index, and an equal value. A NaN equals a NaN, and
/// -0 equals 0.
bool operator==(const Best& a, const Best& b);
std::ostream& operator<<(std::ostream& os, const Best& best);

/// The first of the largest, or the first NaN; {-infinity, -1} of nothing.
Best cpu_argmax(std::span<const float> a);

/// What is special about the elements. Unless it says otherwise, most of them are random numbers
/// between -1 and 1, nearly all different, and the best stands in the last seven eighths.
enum class Data : unsigned char {
    different,   ///< one element is the largest
    decoys,      ///< and each part that a search may look at alone has another one; n >= 1024
    at_front,    ///< the first, and the second best is the second
    at_end,      ///< the last, and the second best is the last but one
    below_zero,  ///< all are negative
    ties,        ///< several are the largest
    zeros,       ///< below them a tiny number; the first of them is -0, later ones are 0
    over_zeros,  ///< both zeros, and the best is a tiny number above them
    last_bit,    ///< two numbers that differ in their last bit, the smaller one first
    all_equal,   ///< the same number everywhere
    infinities,  ///< both infinities, each several times
    all_lowest,  ///< -infinity everywhere
    subnormal,   ///< all smaller than FLT_MIN, and positive
    one_nan,     ///< and infinity
    nans,        ///< several, of different bits, and infinity
    all_nans,
};

/// n elements of that kind.
Floats elements(int n, Data data);
