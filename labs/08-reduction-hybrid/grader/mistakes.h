// The mistakes that the grader of lab 08 knows by what they compute.
//
// Interface: Floats, kWarp, Mistake, all_lanes, mistakes_of_sums, mistakes_within_blocks,
// mistakes_of_warps, stored_by_lane_31, too_few_warps, shuffled_as_ints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"

using Floats = std::vector<float>;
constexpr int kWarp = 32;

using Mistake = lab::KnownMistake<Floats>;

/// Of the sum of all of `a`: within warps, and within blocks of any size.
std::vector<Mistake> mistakes_of_sums(const Floats& a);

/// Mistakes within blocks of a size that is the student's choice: the launch tells, or all usual
/// ones are tried.
std::optional<std::string> mistakes_within_blocks(const lab::Evidence& e, const Floats& a);

/// One sum for each 32 elements, which is what sum_warps must give.
Floats all_lanes(const Floats& a);

std::vector<Mistake> mistakes_of_warps(const Floats& a);

/// What lane 31 has is stored: its own value, which every step has doubled; where it has no
/// element, nothing, or 0.
std::optional<std::string> stored_by_lane_31(const lab::Evidence& e, const Floats& a);

/// "3 blocks of 256 threads are 24 warps": the others have no sum.
std::optional<std::string> too_few_warps(const lab::Evidence& e);

/// What becomes of lane 0 when the values that lanes get from each other are ints.
Floats shuffled_as_ints(const Floats& a);
