// Mistakes with rows and columns, for outputs that are an image or a matrix: height rows of width
// elements, one row after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "check/diagnose/diagnose.h"

// Use:
//
//   CHECK_THAT(call.output(), equals(expected).or_diagnose(image_mistakes(height, width)));
//
// Use shapes that are not square, and whose lengths no block divides: in a square, most mistakes
// look like a transposition. image_mistakes tries the mistakes below, then indexing_mistakes.

namespace lab {

struct ImageShape {
    std::size_t height = 0, width = 0;
};

/// "Rows and columns are swapped": x * height + y, where it reads or where it writes.
std::optional<std::string> transposed(const Evidence&, ImageShape);
/// "Row 1 begins at c[5]": y * height + x, the step from row to row is wrong.
std::optional<std::string> wrong_row_step(const Evidence&, ImageShape);
/// "The image is upside down", or left and right are swapped.
std::optional<std::string> mirrored(const Evidence&, ImageShape);
/// "Only row 7 was not written, the middle one", or a column.
std::optional<std::string> one_line_missing(const Evidence&, ImageShape);
/// "Only the first 16 of 37 columns were written": one block, a missing blockIdx, a grid that is
/// rounded down or has its axes swapped, guards with x and y exchanged. Told apart by the launch
/// where it is known; else the sentence names what remains possible.
std::optional<std::string> only_a_corner(const Evidence&, ImageShape);

/// All of them, for an output of height * width elements.
Diagnosers image_mistakes(std::size_t height, std::size_t width);
inline Diagnosers image_mistakes(int height, int width) {
    return image_mistakes(static_cast<std::size_t>(height), static_cast<std::size_t>(width));
}

}  // namespace lab
