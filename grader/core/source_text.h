// Reads C++ source without a compiler, as far as messages need it.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// The text with comments and literals blanked, newlines kept: positions and lines stay the same.
std::string code_only(std::string_view text);

/// Line `number`, counted from 1, without its newline; empty when there is none.
std::string_view line_at(std::string_view text, int number);

/// Whether a character belongs to an identifier.
bool is_word(char c);

}  // namespace lab
