#include "check/speed/interval.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "check/call/inputs.h"

using namespace lab;

namespace {
std::vector<double> one_to(int n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}
}  // namespace

TEST_CASE("interval: the median is the middle, or between the two middles") {
    CHECK(median({}) == 0);
    CHECK(median({3, 1, 2}) == 2);
    CHECK(median({4, 1, 2, 3}) == 2.5);
}

TEST_CASE("interval: the ranks are those of the sign test's tables") {
    CHECK(std::isinf(median_interval(one_to(5)).high));
    CHECK(median_interval(one_to(6)).low == 1);
    CHECK(median_interval(one_to(8)).low == 1);
    CHECK(median_interval(one_to(9)).low == 2);
    CHECK(median_interval(one_to(9)).high == 8);
    CHECK(median_interval(one_to(12)).low == 3);
    CHECK(median_interval(one_to(25)).low == 8);
    CHECK(median_interval(one_to(25)).high == 18);
}

TEST_CASE("interval: it holds the true median in 95 % of draws, also of a skewed distribution") {
    Random random(1);
    const double true_median = std::log(2.0);
    int held = 0;
    constexpr int kDraws = 4000;
    for (int draw = 0; draw < kDraws; ++draw) {
        std::vector<double> values(11);
        for (double& value : values) value = -std::log(1 - random.unit());
        const Interval interval = median_interval(values);
        held += interval.low <= true_median && true_median <= interval.high ? 1 : 0;
    }
    CHECK(held >= kDraws * 94 / 100);
    CHECK(held < kDraws);
}
