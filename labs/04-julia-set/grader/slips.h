// Lists slips in the code of lab 04's orbit, where one word takes another's place: 2 * re * re
// instead of 2 * re * im.
#pragma once

#include <functional>
#include <string>
#include <vector>

/// The count of a program with this slip for a point, and the message for it.
struct Slip {
    std::function<int(float re, float im)> count;
    std::string sentence;
};

/// The message for several programs whose counts differ only for a few orbits in a hundred.
inline constexpr const char* kOneTooLarge =
    "The count is 1 too large wherever an orbit escapes: either the step that escapes is counted, "
    "though it is not survived, or |z|, |re| or |im| is compared with julia_bound instead of "
    "|z|^2.";

/// No two slips count the same for all points, except those with the same sentence.
std::vector<Slip> slips();
