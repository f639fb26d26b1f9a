// Reads C++ source without a compiler, as far as messages need it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// A name, a number, an operator, or a literal.
struct SourceToken {
    std::string_view text;  ///< in the text that it was read from
    std::size_t begin = 0;  ///< where it stands there
    int line = 0;           ///< counted from 1

    std::size_t end() const { return begin + text.size(); }
};

/// The tokens of a text, without its comments. `text` must outlive them.
std::vector<SourceToken> source_tokens(std::string_view text);

/// The body of the function `name`, from its { to its }, or to the end where that is missing; empty
/// where it is not defined.
std::vector<SourceToken> function_body(const std::vector<SourceToken>& tokens,
                                       std::string_view name);

/// The text with comments and literals blanked, newlines kept: positions and lines stay the same.
std::string code_only(std::string_view text);

/// The lines of a text without their newlines.
std::vector<std::string> source_lines(std::string_view text);

/// Line `number`, counted from 1, without its newline; empty when there is none.
std::string_view line_at(std::string_view text, int number);

/// Whether a character belongs to an identifier.
bool is_word(char c);

}  // namespace lab
