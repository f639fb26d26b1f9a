// The orbits of lab 04, and the counts that are right.
//
// Near the edge of the set an orbit multiplies every rounding error until the count is anything, so
// right programs differ there: fused or not, in other orders of the same sums, in double. So many
// orbits of each pixel are followed, and one count is asked for only where all of them agree and
// are still near each other. (That they agree may be chance: then a right program may not.)
//
// Interface: re_of, im_of; Rules, strict_count; Counts, around, right_counts.
#pragma once

#include <cstdint>
#include <vector>

#include "check/check.h"
#include "julia_set.h"

/// The point of the pixels in a column, or in a row.
inline float re_of(int x, int dim, float scale) {
    return scale * static_cast<float>(2 * x + 1 - dim) / static_cast<float>(dim);
}
inline float im_of(int y, int dim, float scale) {
    return scale * static_cast<float>(dim - 1 - 2 * y) / static_cast<float>(dim);
}

/// What makes a program's counts; the contract's unless changed.
struct Rules {
    float bound = julia_bound;
    int steps = julia_max_steps;
    int more = 0;  ///< added to the counts of those that escape
    float c_re = julia_c_re, c_im = julia_c_im;
};

/// As the handed-out CPU code does it, every operation rounded.
int strict_count(float re, float im, const Rules& rules = {});

using Counts = lab::Range<std::uint8_t>;

/// From the least to the greatest count of a pixel and its eight neighbours.
Counts around(const std::vector<Counts>& image, int x, int y, int dim);

/// For each pixel the counts that are right: the one on which all orbits agree; where they do not,
/// all between the counts that orbits of the pixel and its neighbours have, and all from the step
/// on in which orbits of the pixel, or of a neighbour, have lost each other.
std::vector<Counts> right_counts(int dim, float scale);
