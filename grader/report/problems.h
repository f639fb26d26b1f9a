// Writes a grading as lines that editors read, in the form of gcc's messages:
//     labs/02-vector-add/vector_add.cu:21:1: error: Thread 1000 has no element ...
#pragma once

#include <string>

#include "core/results.h"

namespace lab {

/// nvcc's errors and warnings, then each failed test that has a place, one line each. If no failed
/// test has one, the first gets line 1. Columns are 1 if nvcc names none. Empty for full marks
/// without warnings.
std::string problem_lines(const Grading& grading);

}  // namespace lab
