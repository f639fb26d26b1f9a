// Interface: utf8_length.
#pragma once

#include <cstddef>
#include <string_view>

namespace lab {

/// Length of the UTF-8 character at the start of `text`; 0 when there is none. Follows the table of
/// well-formed byte sequences of the Unicode standard (3.9), which leaves out surrogates and
/// longer-than-needed forms.
std::size_t utf8_length(std::string_view text);

}  // namespace lab
