// Decides which counts of lab 04 are right.
//
// Near the edge of the set an orbit multiplies every rounding error until the count is arbitrary.
// So right programs differ there: fused or not, in other orders of the same sums, in double. The
// grader therefore follows many orbits per pixel, and demands one count only where all of them
// agree and are still near each other. (Counts of distant orbits may agree by chance, and a right
// program's may then differ.)
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

/// The rules by which a program counts; the contract's unless changed.
struct Rules {
    float bound = julia_bound;
    int steps = julia_max_steps;
    int more = 0;  ///< added to the counts of those that escape
    float c_re = julia_c_re, c_im = julia_c_im;
};

/// Counts like the CPU code of the skeleton, with every operation rounded.
int strict_count(float re, float im, const Rules& rules = {});

using Counts = lab::Range<std::uint8_t>;

/// From the least to the greatest count of a pixel and its eight neighbours.
Counts around(const std::vector<Counts>& image, int x, int y, int dim);

/// The right counts of each pixel. If all orbits agree, only their count. If not, all between the
/// counts of the orbits of the pixel and its neighbours, and all from the step in which orbits of
/// the pixel, or of a neighbour, diverge.
std::vector<Counts> right_counts(int dim, float scale);
