// Computes lab 10's temperatures on the CPU, and how far floats may be off.
#pragma once

#include <utility>
#include <vector>

#include "check/check.h"
#include "pointer_aliasing.h"

using Floats = std::vector<float>;

struct Parts {
    Floats start, rate, bath;
};

/// Temperatures below 1, and rates so small that the start temperature still matters at the end.
inline Parts random_parts(int n) {
    return {lab::random_floats(n, 0, 1), lab::random_floats(kBaths, 0x1p-9F, 0x1p-6F),
            lab::random_floats(kBaths, 0, 1)};
}

/// One bath maps a temperature by a straight line, (1 - rate) * t + rate * bath. All of them one
/// after another make a straight line, too.
Floats cpu_anneal(const Floats& start, const Floats& rate, const Floats& bath, int cycles);

/// Temperatures stay below 1, so each rounding of one, of a difference of two, and of 1 - rate is
/// by at most 2^-25; products with a rate below 2^-6 by 2^-31. A step is written in different ways,
/// and the one with most roundings, bath + (1 - rate) * (t - bath), has four; t + rate * bath -
/// rate * t is as far off, as its sum may exceed 1. Each step shrinks the error of those before.
/// The expected value was rounded from double, once. Half precision loses 2^-12 in a step.
inline auto annealed(Floats expected, int cycles) {
    const double steps = cycles * kBaths;
    const double tolerance = steps * (4 * 0x1p-25 + 0x1p-30) + 0x1p-25;
    return lab::close_to(std::move(expected), [=](std::size_t) { return tolerance; });
}
