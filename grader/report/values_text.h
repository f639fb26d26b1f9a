// Prints expected and computed values side by side.
#pragma once

#include "core/results.h"
#include "report/lines.h"
#include "report/style.h"

namespace lab {

/// "744 of 1000 elements of c are wrong, by more than 0.1".
std::string wrong_elements(const ValuesWindow& values);

/// As many elements as fit, including the first wrong one, with carets under wrong ones:
///
///       index      254    255    256    257
///       expected   1.5    2.5    3.5    4.5
///       got        1.5    2.5      -      0
///                                ^^^    ^^^
///       -: never written
Lines values_text(const ValuesWindow& values, const TextStyle& style);

}  // namespace lab
