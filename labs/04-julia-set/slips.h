// Steps and tests of lab 04's orbit in which one word is another, as in 2 * re * re for 2 * re *
// im.
//
// Interface: Slip, slips.
#pragma once

#include <functional>
#include <string>
#include <vector>

/// What a program with this slip counts for a point, and what to say of it.
struct Slip {
    std::function<int(float re, float im)> count;
    std::string sentence;
};

/// No two of them count the same wherever orbits begin, but for those that get the same sentence.
std::vector<Slip> slips();
