// Shows times of single calls as a histogram, because a median alone hides their spread.
#pragma once

#include <string>
#include <vector>

#include "report/plots/table_text.h"

namespace lab {

/// For the terminal: the number of calls of `what`, their range, median, mean and standard
/// deviation, and one line per bin. `times_ms`: at least one.
std::string timings_text(const std::string& what, std::vector<double> times_ms);

/// From the shortest time to the longest, in bins of the same width: columns from_ms, to_ms, calls.
CsvTable timing_bins(const std::vector<double>& times_ms);

}  // namespace lab
