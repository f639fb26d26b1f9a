// Recognises whole numbers that were kept in 8 or 16 bits on their way.
#pragma once

#include "check/diagnose/diagnose.h"

namespace lab {

/// Every number is what is left of the right one in 8 or 16 bits; or the wrong ones are short by
/// multiples of 256 or 65536, as sums of such counters are, which may have carried into a neighbour
/// in the same int. Says nothing about floats, or where an element was never written.
std::optional<std::string> narrow_counters(const Evidence&);

}  // namespace lab
