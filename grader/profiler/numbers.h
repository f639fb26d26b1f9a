// Arithmetic with counts.
#pragma once

#include <cstdint>

namespace lab::profiles {

inline constexpr double kLanes = 32;  ///< of a warp

inline double real(std::uint64_t count) {
    return static_cast<double>(count);
}
/// 0 where there is nothing to divide by.
inline double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

}  // namespace lab::profiles
