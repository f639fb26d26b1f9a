// How sure a median is: a confidence interval from the order of the values alone.
//
// Interface: median, median_interval, Interval.
#pragma once

#include <vector>

namespace lab {

struct Interval {
    double low = 0, high = 0;
};

/// The middle value, or the mean of the two; 0 of nothing.
double median(std::vector<double> values);

/// An interval that holds the true median with at least 95 % confidence, whatever the distribution:
/// between the k-th smallest and k-th largest value, k from the binomial distribution. Below 6
/// values no interval reaches that, and it is [0, infinity).
Interval median_interval(std::vector<double> values);

}  // namespace lab
