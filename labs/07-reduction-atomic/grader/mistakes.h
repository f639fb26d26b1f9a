// The mistakes that the grader of lab 07 knows by what they compute.
//
// Interface: Mistake, mistakes_of_range, part_of_the_range, mistakes_of_max, other_element,
// mistakes_of_histogram, mistakes_in_counts, block_added_by_all_of_its_threads, last_of_each_warp;
// cpu_histogram.
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

/// Sums in which every thread of a block, and not one of them, added what the block has.
lab::Diagnoser block_added_by_all_of_its_threads(double sum, double bound);
/// Sums of the last element of each warp: its threads read the same total, and then stored one
/// after the other. `bound`: how much a right sum may differ; 0 for integers.
template <class T>
lab::Diagnoser last_of_each_warp(const std::vector<T>& a, double bound);

std::vector<Mistake<IntRange>> mistakes_of_range(const std::vector<int>& a);
/// `got` is the range of a part of `a`, or that of no numbers.
std::optional<std::string> part_of_the_range(const std::vector<int>& a, IntRange got);

std::vector<Mistake<float>> mistakes_of_max(const std::vector<float>& a);
/// `got` is one of the numbers, and not the largest.
std::optional<std::string> other_element(const std::vector<float>& a, float got);

std::vector<int> cpu_histogram(std::span<const int> keys, int bins);
std::vector<Mistake<int>> mistakes_of_histogram(const std::vector<int>& keys, int bins);
/// Those known by which counts are right. `keys` must outlive them.
lab::Diagnosers mistakes_in_counts(const std::vector<int>& keys, int bins);
