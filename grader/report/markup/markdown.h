// Foreign text in Markdown (CommonMark, and GitHub's tables), where it stays text.
#pragma once

#include <string>
#include <string_view>

namespace lab {

/// Text within a line or a table's cell, on one line: no markup, HTML, link, formula or mention in
/// it is one. Not for the beginning of a line.
std::string markdown_text(std::string_view text);

/// A block of code with the text as it is, whatever fences are in it. Ends with a line feed.
std::string markdown_code(std::string_view text, std::string_view language = "");

}  // namespace lab
