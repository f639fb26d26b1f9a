#include "report/timings_text.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace lab;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("timings: range, median, mean and deviation, and every call in a bin") {
    const std::string text = timings_text("student, n = 7", {1.0, 1.0, 1.0, 1.2, 1.8});
    CHECK_THAT(text, ContainsSubstring("student, n = 7: 5 calls of 1 to 1.8 ms\n") &&
                         ContainsSubstring("median 1 ms, mean 1.2 ms, standard deviation 0.35 ms "
                                           "(29 %)") &&
                         ContainsSubstring("from        1 ms  " + std::string(40, '#') + "  3\n") &&
                         ContainsSubstring("from      1.7 ms  " + std::string(14, '#')));
    const CsvTable bins = timing_bins({1.0, 1.0, 1.0, 1.2, 1.8});
    REQUIRE(bins.rows.size() == 8);
    CHECK(bins.rows[0] == std::vector<std::string>{"1", "1.1", "3"});
    CHECK(bins.rows[2][2] == "0");
    CHECK(bins.rows[7][2] == "1");  // the longest lies in the last bin, not after it
}

TEST_CASE("timings: one call, or all the same, need no histogram") {
    CHECK(timings_text("x", {2.5}) ==
          "x: 1 calls of 2.5 to 2.5 ms\n"
          "  median 2.5 ms, mean 2.5 ms, standard deviation 0 ms (0 %)\n");
    CHECK(timing_bins({2.5, 2.5}).rows[0][2] == "2");
}
