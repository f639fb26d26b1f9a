// The mistakes that the grader of lab 03 knows by what they compute.
//
// Interface: Mistake, mistakes_of_rows, mistakes_of_columns, rows_of_another_length,
// copied_as_if_dense, rows_cut_short, copied_there_with_the_devices_pitch, only_the_first_blocks,
// mistakes_with_zeros_unwritten, copied_too_early, only_a_quarter_copied, columns_missing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "pictures.h"

using Mistake = lab::KnownMistake<std::function<Floats()>>;

/// What wrong programs make of a row-major image, whatever its pitch.
std::vector<Mistake> mistakes_of_rows(const Picture& all);
/// The same of one that is stored column after column.
std::vector<Mistake> mistakes_of_columns(const Picture& all);

/// A raw image that was read as if its rows were `step` elements long, and not `pitch`. What then
/// comes from the padding may be anything.
lab::Diagnoser rows_of_another_length(const Picture& all, std::size_t pitch, std::size_t step,
                                      std::string sentence);
/// Pitched memory that was copied to or from as if it were dense. The pitch is the device's choice.
std::optional<std::string> copied_as_if_dense(const lab::Evidence& e, std::size_t columns);
/// cudaMemcpy2D to the host with the width of a row in elements.
std::optional<std::string> rows_cut_short(const lab::Evidence& e, std::size_t columns);
/// The same on the way there: the host's rows were taken to be as far apart as the device's.
std::optional<std::string> copied_there_with_the_devices_pitch(const lab::Evidence& e,
                                                               const Picture& all);
/// calibrate_frame's own array begins with zeros: where no thread went, they are still there.
std::optional<std::string> only_the_first_blocks(const lab::Evidence& e);
/// What image_mistakes says when those zeros count as never written.
std::optional<std::string> mistakes_with_zeros_unwritten(const lab::Evidence& e);
/// The image is copied to the host before the kernel runs.
std::optional<std::string> copied_too_early(const std::vector<lab::OperationRecord>& operations);
/// The same, of a copy to the device that counted elements: raw is 0 in three quarters of it.
std::optional<std::string> only_a_quarter_copied(const lab::Evidence& e, const Picture& all);
/// calibrate_columns: a grid whose x covers the width and whose y covers the height, for threads
/// that take them the other way around.
std::optional<std::string> columns_missing(const lab::Evidence& e, std::size_t rows,
                                           std::size_t columns);
