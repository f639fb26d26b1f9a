// Mistakes in how a thread's index is put together, known by which elements were written: the
// launch says which threads there were, so each wrong formula names the elements it reaches.
//
// Interface: wrong_index_formula, only_threads_along_x, wrong_pixel_formula.
#pragma once

#include <optional>
#include <string>

#include "check/diagnose.h"
#include "check/diagnose_image.h"

namespace lab {

/// "The index is blockIdx.x + threadIdx.x": one launch along one axis, one element a thread.
std::optional<std::string> wrong_index_formula(const Evidence&);
/// "As many as there are threads along x": a launch along two axes or three, an index along one.
std::optional<std::string> only_threads_along_x(const Evidence&);
/// "y is made with blockIdx.x": one launch along x and y, one pixel a thread.
std::optional<std::string> wrong_pixel_formula(const Evidence&, ImageShape);

}  // namespace lab
