// The tests of a lab, as its gradings name them.
#pragma once

#include <string>
#include <vector>

#include "batch/grades.h"

namespace lab {

/// In their order, each with no points earned and not run: those of the first counting attempt that
/// built. Empty if none did.
std::vector<TestSummary> tests_of_lab(const Grades& grades, const std::string& lab);

}  // namespace lab
