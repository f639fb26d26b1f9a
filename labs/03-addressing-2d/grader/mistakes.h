// Recognises mistakes of lab 03 by the images that they compute.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "pictures.h"

using Mistake = lab::KnownMistake<std::function<Floats()>>;

/// The images that wrong programs compute from a row-major one, whatever its pitch.
std::vector<Mistake> mistakes_of_rows(const Picture& all);
/// The same for an image that is stored column after column.
std::vector<Mistake> mistakes_of_columns(const Picture& all);

/// Recognises a raw image that was read as if its rows were `step` elements long, not `pitch`.
/// Pixels that then come from the padding may be anything.
lab::Diagnoser rows_of_another_length(const Picture& all, std::size_t pitch, std::size_t step,
                                      std::string sentence);
/// Recognises copies that treat pitched memory as dense. The pitch is the device's choice.
std::optional<std::string> copied_as_if_dense(const lab::Evidence& e, std::size_t columns);
/// cudaMemcpy2D to the host with the width of a row in elements.
std::optional<std::string> rows_cut_short(const lab::Evidence& e, std::size_t columns);
/// The same for the copy to the device: it takes the host's rows to be as far apart as the
/// device's.
std::optional<std::string> copied_there_with_the_devices_pitch(const lab::Evidence& e,
                                                               const Picture& all);
/// calibrate_frame's own array begins with zeros: where no thread went, they are still there.
std::optional<std::string> only_the_first_blocks(const lab::Evidence& e);
/// The answer of image_mistakes when those zeros count as never written.
std::optional<std::string> mistakes_with_zeros_unwritten(const lab::Evidence& e);
/// The image is copied to the host before the kernel runs.
std::optional<std::string> copied_too_early(const std::vector<lab::OperationRecord>& operations);
/// A copy to the device that counted elements: three quarters of raw are 0.
std::optional<std::string> only_a_quarter_copied(const lab::Evidence& e, const Picture& all);
/// calibrate_columns: the grid's x covers the width and its y the height, but the threads use them
/// the other way around.
std::optional<std::string> columns_missing(const lab::Evidence& e, std::size_t rows,
                                           std::size_t columns);
