// The answers of lab 16 on the CPU, and what was planted where.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "debugging.h"

using Floats = std::vector<float>;
using Ints = std::vector<int>;

Floats cpu_differences(const Floats& a);
Ints cpu_histogram(const Ints& a);
Floats cpu_double_from(const Floats& a, int first, int n);
Floats cpu_from_first(const Floats& a, int height, int width);
Floats cpu_mirror(const Floats& in, int height, int width);
unsigned long long cpu_sum_of_squares(const Ints& a);
/// Of each kThreads elements.
Ints cpu_block_sums(const Ints& a);
/// Of each 32 elements.
Ints cpu_warp_maxima(const Ints& a);

/// The mistake that was planted in function k, and the letters that name its line.
struct Planted {
    std::string function;
    Kind kind;
    std::string lines;  ///< any of them
    char last_line;     ///< of the function's letters, which begin with a
};
const Planted& planted(int k);

/// What is wrong with `finding` as the answer of bug(k), in words that do not give it away; empty
/// if it is right.
std::string judge(int k, const Finding& finding);
