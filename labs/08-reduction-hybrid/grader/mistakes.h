// Recognises mistakes of lab 08 by the sums that they compute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"

using Floats = std::vector<float>;
constexpr int kWarp = 32;

using Mistake = lab::KnownMistake<Floats>;

/// Mistakes in the sum of all of `a`: within warps, and within blocks of any size.
std::vector<Mistake> mistakes_of_sums(const Floats& a);

/// Recognises mistakes within blocks of a size that the student chose. Takes the size from the
/// launch, or tries all usual ones.
std::optional<std::string> mistakes_within_blocks(const lab::Evidence& e, const Floats& a);

/// One sum for each 32 elements: the right answer of sum_warps.
Floats all_lanes(const Floats& a);

std::vector<Mistake> mistakes_of_warps(const Floats& a);

/// Recognises the value of lane 31: its own, doubled by every step; nothing, or 0, if it has no
/// element.
std::optional<std::string> stored_by_lane_31(const lab::Evidence& e, const Floats& a);

/// Recognises a last sum, of less than a warp's worth of elements, as larger than any sum of them.
std::optional<std::string> garbage_from_absent_lanes(const lab::Evidence& e, const Floats& a);
/// "3 blocks of 256 threads are 24 warps": the others have no sum.
std::optional<std::string> too_few_warps(const lab::Evidence& e);

/// The value of lane 0 when lanes pass each other ints.
Floats shuffled_as_ints(const Floats& a);
