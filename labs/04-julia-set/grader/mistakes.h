// The mistakes that the grader of lab 04 knows by what they compute.
//
// Interface: Mistake, known_mistakes, last_steps_missing, wrong_members, wrong_at_the_edge;
// members_of, zeros_missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orbits.h"

using Mistake = lab::KnownMistake<std::function<std::uint8_t(std::size_t i)>>;

/// `most`: the greatest count that there was.
std::vector<Mistake> known_mistakes(int dim, float scale, int most);

/// Recognises a loop of fewer steps that returns julia_max_steps behind it: few orbits show it.
std::optional<std::string> last_steps_missing(const std::vector<int>& counts,
                                              const std::vector<Counts>& right);

/// Recognises members that have a number that is no count at all, and loops of too many steps.
std::optional<std::string> wrong_members(const std::vector<int>& counts,
                                         const std::vector<Counts>& right);

/// Says so when nearly all wrong pixels hold what belongs next to them, and not just 1 more or 1
/// less. In small images everything is near an edge.
std::optional<std::string> wrong_at_the_edge(const std::vector<int>& counts,
                                             const std::vector<Counts>& right, int dim);

/// 1 for each pixel whose count is julia_max_steps, 0 for the others; or the other way round.
std::vector<int> members_of(const std::vector<int>& counts, int member = 1);

/// Recognises a kernel that stores the ones and leaves the rest as it found it.
std::optional<std::string> zeros_missing(const std::vector<int>& members,
                                         const std::vector<int>& expected);
