// Numbers in reports, alike in every one of them.
#pragma once

#include <string>

namespace lab {

/// At most 2 decimals, and none that are 0: "7", "6.5", "0.22".
std::string short_number(double value);

/// With its unit, 3 digits: "488 us", "1.25 ms".
std::string microseconds_text(double us);

}  // namespace lab
