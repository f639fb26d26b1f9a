// The gradebook, as tables for spreadsheets and learning systems.
#pragma once

#include <string>

#include "batch/grades.h"

namespace lab {

/// A row for each student and test, with all that led to the points. CSV in UTF-8 with a mark at
/// its beginning, by which spreadsheets know it. A lab of which no test is known has one row
/// without a test. Points that are still open (is_open) are empty, never 0.
std::string gradebook_csv(const Grades& grades);

/// A row for each student, and a column with the points in each lab, for import: UTF-8 without a
/// mark. Open points are empty: a learning system leaves those as they are.
std::string gradebook_narrow_csv(const Grades& grades);

}  // namespace lab
