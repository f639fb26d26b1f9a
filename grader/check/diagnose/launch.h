// Mistakes in the formula of a thread's index, recognised by the elements that were written. The
// launch gives the threads, so each wrong formula names the elements it reaches.
#pragma once

#include <optional>
#include <string>

#include "check/diagnose/diagnose.h"
#include "check/diagnose/image.h"

namespace lab {

/// "The index is blockIdx.x + threadIdx.x": one launch along one axis, one element a thread.
std::optional<std::string> wrong_index_formula(const Evidence&);
/// "As many as there are threads along x": a launch along two axes or three, an index along one.
std::optional<std::string> only_threads_along_x(const Evidence&);
/// "y is made with blockIdx.x": one launch along x and y, one pixel a thread.
std::optional<std::string> wrong_pixel_formula(const Evidence&, ImageShape);

}  // namespace lab
