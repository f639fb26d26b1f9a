// Steps and tests of lab 04's orbit in which one word is another, as in 2 * re * re for 2 * re *
// im.
//
// Interface: Slip, slips, kOneTooLarge.
#pragma once

#include <functional>
#include <string>
#include <vector>

/// What a program with this slip counts for a point, and what to say of it.
struct Slip {
    std::function<int(float re, float im)> count;
    std::string sentence;
};

/// Of several programs that count the same but for a few orbits in a hundred.
inline constexpr const char* kOneTooLarge =
    "The count is 1 too large wherever an orbit escapes: either the step that escapes is counted, "
    "though it is not survived, or |z|, |re| or |im| is compared with julia_bound instead of "
    "|z|^2.";

/// No two of them count the same wherever orbits begin, but for those that get the same sentence.
std::vector<Slip> slips();
