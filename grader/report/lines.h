// Text as lines that fit a screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

using Lines = std::vector<std::string>;

/// The lines of `text`; a line feed at its end begins no line.
Lines split_lines(std::string_view text);

/// Prose in lines of at most `width` columns, moved to the right by `indent`; words that are longer
/// are cut.
Lines prose_lines(std::string_view text, std::size_t indent, std::size_t width);

/// A message: lines of prose are wrapped. So are those that begin with a blank, below where their
/// text begins, but rows of tables and code with a marker below are cut. No line is wider than
/// `width`.
Lines message_lines(std::string_view text, std::size_t indent, std::size_t width);

/// What a submission printed: each line behind "| ", so that it cannot be taken for a verdict, and
/// cut to `width`. `text` may hold any bytes.
Lines quoted_lines(std::string_view text, std::size_t width);

void append(Lines& lines, const Lines& more);

/// Every line with a line feed behind it.
std::string joined(const Lines& lines);

}  // namespace lab
