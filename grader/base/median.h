// Computes the median of measurements.
#pragma once

#include <algorithm>
#include <vector>

namespace lab {

/// The middle value, or the mean of the middle two; 0 if there are none.
inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace lab
