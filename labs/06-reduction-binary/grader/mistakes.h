// The mistakes that the grader of lab 06 knows by what they compute.
//
// Interface: Mistake, mistakes_of_blocks, last_block_missing, only_the_first,
// mistakes_of_min_max_sum, parts_of_the_result.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "check/check.h"
#include "cpu_sums.h"
#include "reduction_binary.h"

inline std::ostream& operator<<(std::ostream& os, const MinMaxSum& r) {
    return os << "{min " << r.min << ", max " << r.max << ", sum " << r.sum << "}";
}

template <class T>
using Mistake = lab::KnownMistake<std::vector<T>>;

/// Of the sums of blocks of so many threads.
std::vector<Mistake<float>> mistakes_of_blocks(Floats a, int threads);
std::optional<std::string> last_block_missing(const lab::Evidence& e);

/// Recognises the sum of the first few of `a`, if they are one of `lengths`.
lab::Diagnoser only_the_first(std::vector<int> lengths, Floats a, float got,
                              const std::string& reason);

std::vector<Mistake<MinMaxSum>> mistakes_of_min_max_sum(const std::vector<float>& a);
/// Recognises the result of a part of `a`, and mistakes in one of the three only.
lab::Diagnoser parts_of_the_result(MinMaxSum got, MinMaxSum right, const std::vector<float>& a);
