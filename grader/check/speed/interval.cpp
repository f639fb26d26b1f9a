#include "check/speed/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {
namespace {

constexpr double kMayMiss = 0.05;

/// The largest k for which [k-th smallest, k-th largest] misses the median in at most 5 % of cases:
/// the chance that fewer than k of n values lie on one side is a binomial tail, for each side.
std::size_t order_rank(std::size_t n) {
    double chance = std::pow(0.5, static_cast<double>(n));  // of exactly k values below
    double tail = 0;
    std::size_t rank = 0;
    for (std::size_t k = 0; k < n / 2; ++k) {
        tail += chance;
        if (2 * tail > kMayMiss) break;
        rank = k + 1;
        chance *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    }
    return rank;
}

}  // namespace

Interval median_interval(std::vector<double> values) {
    const std::size_t rank = order_rank(values.size());
    if (rank == 0) return {0, std::numeric_limits<double>::infinity()};
    std::sort(values.begin(), values.end());
    return {values[rank - 1], values[values.size() - rank]};
}

}  // namespace lab
