// Counts, times, rates and shares as profiles print them.
#pragma once

#include <cstdint>
#include <string>

namespace lab::profiles {

inline constexpr double kLanes = 32;  ///< of a warp

inline double real(std::uint64_t count) {
    return static_cast<double>(count);
}
/// 0 where there is nothing to divide by.
inline double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/// "4096", "467k", "1.23M"
std::string count_text(double count);
/// "12.3 us"
std::string time_text(double seconds);
/// "1.05 GB"; with "/s" after it, a rate.
std::string bytes_text(double bytes);
/// "88 %"
std::string percent_text(double share);
/// "(24, 24, 1)"
template <class Extents>
std::string extents_text(const Extents& e) {
    return "(" + std::to_string(e[0]) + ", " + std::to_string(e[1]) + ", " + std::to_string(e[2]) +
           ")";
}

}  // namespace lab::profiles
