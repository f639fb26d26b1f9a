#include "report/class/class_plots.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

using namespace lab;

namespace {

std::size_t all_of(const std::vector<Bin>& bins) {
    return std::accumulate(bins.begin(), bins.end(), std::size_t{0},
                           [](std::size_t sum, const Bin& bin) { return sum + bin.count; });
}

}  // namespace

TEST_CASE("plots: points of a small lab have a bin each, 0 and the maximum too") {
    const auto bins = points_bins({0, 0, 7.5, 10}, 10);
    REQUIRE(bins.size() == 11);
    CHECK(bins[0].count == 2);
    CHECK(bins[7].count == 1);
    CHECK(bins[10].count == 1);
}

TEST_CASE("plots: nobody is lost, whatever points were given by hand") {
    CHECK(all_of(points_bins({-3, 0, 99.5, 100, 130}, 100)) == 5);
    CHECK(all_of(points_bins({0, 4}, 0)) == 2);
}

TEST_CASE("plots: ratios fall into bins of equal proportion, and the threshold divides them") {
    const auto bins = ratio_bins({0.01, 0.22, 0.4499, 0.45, 1.0, 3.7}, 0.45);
    CHECK(all_of(bins) == 6);
    CHECK(bins.front().from <= 0.01);
    CHECK(bins.back().to > 3.7);
    for (std::size_t i = 1; i < bins.size(); ++i) CHECK(bins[i].from == bins[i - 1].to);
    std::size_t below = 0;
    for (const Bin& bin : bins)
        if (bin.to <= 0.45) below += bin.count;
    CHECK(below == 3);
}

TEST_CASE("plots: ratios at the edges of bins stay in range") {
    for (const double threshold : {0.1, 0.45, 0.77, 1.0, 2.0})
        for (int step = -12; step <= 12; ++step) {
            const double ratio = threshold * std::exp2(step / 4.0);
            for (const double near :
                 {std::nextafter(ratio, 0.0), ratio, std::nextafter(ratio, 9.0)})
                CHECK(all_of(ratio_bins({near}, threshold)) == 1);
        }
}
