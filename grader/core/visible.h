// Makes a submission's output safe for a terminal: without control characters, which could clear
// the screen, or write a verdict of their own.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `text` with line feeds and tabs as they are, other control characters as ^[ and the like, and as
/// ? those of C1, those that turn the direction of text, and bytes that are not UTF-8. Of a line's
/// end by \r\n the \r is left out.
std::string visible(std::string_view text);

/// The same on one line: for names and paths, in which line feeds and tabs are ^J and ^I.
std::string visible_word(std::string_view text);

}  // namespace lab
