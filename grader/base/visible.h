// Makes a submission's output safe for a terminal: removes control characters, which could clear
// the screen or fake a verdict.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `text` with line feeds and tabs unchanged, and other control characters as ^[ and the like.
/// Those of C1, those that change the direction of text, and bytes that are not UTF-8 become ?. The
/// \r of \r\n is left out.
std::string visible(std::string_view text);

/// The same on one line: for names and paths, in which line feeds and tabs are ^J and ^I.
std::string visible_word(std::string_view text);

}  // namespace lab
