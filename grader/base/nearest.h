// Suggests "Did you mean ...?" for names that people type.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lab {

/// The number of letters to insert, delete, replace, or swap with their neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, the first among equals; nothing if none is near enough (within
/// a third of the word's letters, and never more than 3).
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// " Did you mean \"X\"?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace lab
