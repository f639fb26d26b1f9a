// What a submission says, as a terminal may show it: without control characters, which could clear
// the screen, or write a verdict of their own.
//
// Interface: visible.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// `text` with line feeds and tabs as they are, other control characters as ^[ and the like, those
/// of C1 and bytes that are not UTF-8 as ?. Of a line's end by \r\n the \r is left out.
std::string visible(std::string_view text);

}  // namespace lab
