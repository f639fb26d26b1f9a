// Breaks text into lines that fit a screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

using Lines = std::vector<std::string>;

/// Columns that what stands below a heading is moved in by.
inline constexpr std::size_t kIndent = 2;

/// The lines of `text`; a line feed at its end begins no line.
Lines split_lines(std::string_view text);

/// Prose in lines of at most `width` columns, indented by `indent`; longer words are cut.
Lines prose_lines(std::string_view text, std::size_t indent, std::size_t width);

/// A message. Wraps lines of prose, and indented lines below the start of their text. Cuts rows of
/// tables, and code with a marker below. No line is wider than `width`.
Lines message_lines(std::string_view text, std::size_t indent, std::size_t width);

/// A submission's own output: each line begins with "| ", so that nobody takes it for a verdict,
/// and is cut to `width`. `text` may hold any bytes.
Lines quoted_lines(std::string_view text, std::size_t width);

void append(Lines& lines, const Lines& more);

/// All lines, each with a line feed at its end.
std::string joined(const Lines& lines);

}  // namespace lab
