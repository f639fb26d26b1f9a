// Says where a grading's seconds went, for `lab grade --timings`.
#pragma once

#include <string>

#include "core/results.h"

namespace lab {

/// A line a part, longest first, and the whole; from 10 ms on.
std::string time_spent_text(const Grading& grading);

}  // namespace lab
