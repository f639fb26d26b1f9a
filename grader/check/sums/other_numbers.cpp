// Something else than the sum, or the sum times a factor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "check/sums/hypotheses.h"

namespace lab::sums {
namespace {

std::string why_multiple(const LaunchRecord* launch, std::uint64_t factor) {
    if (launch != nullptr && factor == launch->threads_per_block()) {
        return "every thread of a block adds the block's part. Only one may.";
    }
    if (launch != nullptr && factor == launch->blocks()) {
        return "every block adds all values. Each value belongs to one block.";
    }
    if (launch != nullptr && factor == launch->threads_per_block() / kWarpLanes) {
        return "every warp of a block adds the block's part. Only one may.";
    }
    if (factor == kWarpLanes) {
        return "every lane of a warp adds the warp's part. Only one may.";
    }
    return "each value is added several times.";
}

}  // namespace

void other_values(const Terms& terms, Hypotheses& all) {
    double magnitudes = 0, squares = 0;
    for (const double value : terms.values) {
        magnitudes += std::abs(value);
        squares += value * value;
    }
    const bool has_signs =
        std::ranges::any_of(terms.values, [](double value) { return value < 0; });
    if (has_signs) {
        all.push_back({Kind::other_values, magnitudes,
                       "The values were added without their signs: each counts as it is, not "
                       "its absolute value."});
    }
    all.push_back(
        {Kind::other_values, squares, "The squares of the values were added, and not the values."});
}

void one_value(const Terms& terms, Hypotheses& all) {
    constexpr const char* kOverwrites =
        ": each value replaced the one before, where it should be added.";
    all.push_back({Kind::one_value, terms.values.back(),
                   std::string("The result is the last value alone") + kOverwrites});
    all.push_back({Kind::one_value, terms.values.front(), "The result is the first value alone."});
    const auto n = static_cast<double>(terms.values.size());
    all.push_back({Kind::one_value, n, "The result is the number of values, not their sum."});
    all.push_back(
        {Kind::indices, n * (n - 1) / 2,
         fmt::format("The result is 0 + 1 + ... + {}: the indices were added, and not the values.",
                     terms.values.size() - 1)});
}

void multiples(const Terms& terms, const LaunchRecord* launch, double expected, Hypotheses& all) {
    all.push_back({Kind::scale, -expected, "The sum has the wrong sign."});
    all.push_back({Kind::scale, expected / static_cast<double>(terms.values.size()),
                   "The result is the average: the sum divided by the number of values."});
    std::set<std::uint64_t> factors{2, 3, 4, 8, 16, 32};
    if (launch != nullptr) {
        const std::uint64_t threads = launch->threads_per_block();
        factors.insert({launch->blocks(), threads, threads / kWarpLanes});
        if (threads > 1) {
            all.push_back({Kind::scale, expected / static_cast<double>(threads),
                           "The sum is divided by the number of threads in a block."});
        }
    }
    for (const std::uint64_t factor : factors) {
        if (factor < 2) continue;
        all.push_back({Kind::multiple, static_cast<double>(factor) * expected,
                       fmt::format("The sum is {} times too large: {}", factor,
                                   why_multiple(launch, factor))});
    }
}

}  // namespace lab::sums
