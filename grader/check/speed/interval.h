// Says how sure a median is: a confidence interval from the order of the values alone.
#pragma once

#include <vector>

#include "base/median.h"

namespace lab {

struct Interval {
    double low = 0, high = 0;
};

/// An interval that holds the true median with at least 95 % confidence, whatever the distribution:
/// between the k-th smallest and k-th largest value, k from the binomial distribution. Below 6
/// values no interval reaches that, and it is [0, infinity).
Interval median_interval(std::vector<double> values);

}  // namespace lab
