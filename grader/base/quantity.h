// Counts, times, amounts and shares in four digits at most.
#pragma once

#include <string>

namespace lab {

/// "4096", "467k", "1.23M"
std::string count_text(double count);
/// "12.3 us"
std::string time_text(double seconds);
/// "1.05 GB"; with "/s" after it, a rate.
std::string bytes_text(double bytes);
/// "88 %"
std::string percent_text(double share);

}  // namespace lab
