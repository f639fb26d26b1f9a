// The result of a mistake in rounding: graders compare sums to the last bit, and name that bit.
#pragma once

#include <cmath>

namespace lab {

/// The float next to `exact` on the side of 0: digits are cut off. Plain arithmetic takes the
/// nearest.
inline float toward_zero(double exact) {
    const auto nearest = static_cast<float>(exact);
    return std::abs(double{nearest}) > std::abs(exact) ? std::nextafter(nearest, 0.0F) : nearest;
}

}  // namespace lab
