// Recognises mistakes of lab 04 by the images that they compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orbits.h"

using Mistake = lab::KnownMistake<std::function<std::uint8_t(std::size_t i)>>;

/// `most`: the greatest count in the image.
std::vector<Mistake> known_mistakes(int dim, float scale, int most);

/// Recognises a loop of fewer steps with julia_max_steps returned after it: few orbits show it.
std::optional<std::string> last_steps_missing(const std::vector<int>& counts,
                                              const std::vector<Counts>& right);

/// Recognises members whose number is not a count at all, and loops of too many steps.
std::optional<std::string> wrong_members(const std::vector<int>& counts,
                                         const std::vector<Counts>& right);

/// Recognises images in which nearly all wrong pixels hold the count of a neighbour, not just 1
/// more or 1 less. In small images everything is near an edge.
std::optional<std::string> wrong_at_the_edge(const std::vector<int>& counts,
                                             const std::vector<Counts>& right, int dim);

/// 1 for each pixel whose count is julia_max_steps, 0 for the others; or the other way round.
std::vector<int> members_of(const std::vector<int>& counts, int member = 1);

/// Recognises a kernel that stores the ones and leaves the rest unwritten.
std::optional<std::string> zeros_missing(const std::vector<int>& members,
                                         const std::vector<int>& expected);
