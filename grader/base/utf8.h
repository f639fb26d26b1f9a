// Reads UTF-8, and measures its width on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lab {

/// Length of the UTF-8 character at the start of `text`; 0 if there is none. Follows the table of
/// well-formed byte sequences of the Unicode standard (3.9), which leaves out surrogates and
/// longer-than-needed forms.
std::size_t utf8_length(std::string_view text);

/// The code point of the UTF-8 character at the start of `text`, whose length is not 0.
char32_t utf8_code_point(std::string_view text);

/// The number of columns of `text` on a terminal: 2 for wide characters of East Asia and pictures,
/// 0 for marks that combine with the character before. Bytes that are not UTF-8 count 1 each. For
/// text without control characters.
std::size_t display_width(std::string_view text);

/// `text` if it is at most `columns` wide, else its beginning with "..." in the last three.
std::string cut_to_width(std::string_view text, std::size_t columns);

/// `text`, padded with blanks to `columns`; wider text stays as it is.
std::string padded(std::string_view text, std::size_t columns);

}  // namespace lab
