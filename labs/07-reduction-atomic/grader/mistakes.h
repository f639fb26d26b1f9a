// Recognises mistakes of lab 07 by the results that they compute.
#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "check/check.h"
#include "reduction_atomic.h"

inline bool operator==(const IntRange& a, const IntRange& b) {
    return a.lowest == b.lowest && a.highest == b.highest;
}
inline std::ostream& operator<<(std::ostream& os, const IntRange& range) {
    return os << "{lowest " << range.lowest << ", highest " << range.highest << "}";
}

template <class T>
using Mistake = lab::KnownMistake<std::vector<T>>;

/// Recognises sums to which every thread of a block, not just one, added the block's total.
lab::Diagnoser block_added_by_all_of_its_threads(double sum, double bound);
/// Recognises sums of the last element of each warp: its threads read the same total, then stored
/// one after the other. `bound`: how much a right sum may differ; 0 for integers.
template <class T>
lab::Diagnoser last_of_each_warp(const std::vector<T>& a, double bound);

std::vector<Mistake<IntRange>> mistakes_of_range(const std::vector<int>& a);
/// Recognises `got` as the range of a part of `a`, or of no numbers.
std::optional<std::string> part_of_the_range(const std::vector<int>& a, IntRange got);

std::vector<Mistake<float>> mistakes_of_max(const std::vector<float>& a);
/// Recognises `got` as one of the numbers that is not the largest.
std::optional<std::string> other_element(const std::vector<float>& a, float got);

std::vector<int> cpu_histogram(std::span<const int> keys, int bins);
std::vector<Mistake<int>> mistakes_of_histogram(const std::vector<int>& keys, int bins);
/// Recognises mistakes by the counts that are right. `keys` must outlive them.
lab::Diagnosers mistakes_in_counts(const std::vector<int>& keys, int bins);
