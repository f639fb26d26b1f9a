// Recognises mistakes of lab 06 by the sums that they compute.
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

/// Mistakes in the sums of blocks of `threads` threads.
std::vector<Mistake<float>> mistakes_of_blocks(Floats a, int threads);
std::optional<std::string> last_block_missing(const lab::Evidence& e);

/// Recognises the sum of the first elements of `a` only, if their number is one of `lengths`.
lab::Diagnoser only_the_first(std::vector<int> lengths, Floats a, float got,
                              const std::string& reason);

std::vector<Mistake<MinMaxSum>> mistakes_of_min_max_sum(const std::vector<float>& a);
/// Recognises the result of a part of `a`, and mistakes in only one of the three results.
lab::Diagnoser parts_of_the_result(MinMaxSum got, MinMaxSum right, const std::vector<float>& a);
