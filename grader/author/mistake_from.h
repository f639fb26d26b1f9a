// Makes an entry of mistakes.toml from a whole wrong program: finds the edits that turn a right one
// into it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "author/mistakes.h"

namespace lab {

/// The fewest edits of whole lines after which `base` has the tokens of `program`: comments and
/// line breaks count for nothing. Each has the context that makes its place the only one.
std::vector<Edit> edits_between(const std::string& base, std::string_view program);

/// Why edits are too many or too long for an entry; empty when they fit.
std::string too_large(const std::vector<Edit>& edits);

/// The lines that edits take out and put in.
std::size_t changed_lines(const std::vector<Edit>& edits);

/// What the comments on top of a file in wrong/ say, without its expectations.
std::string why_of(std::string_view program);

/// The entry as mistakes.toml has it.
std::string entry_text(const Mistake& mistake);

}  // namespace lab
