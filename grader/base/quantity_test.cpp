#include "base/quantity.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("quantity: numbers in four digits at most") {
    CHECK(count_text(9999) == "9999");
    CHECK(count_text(12'345) == "12.3k");
    CHECK(count_text(1.5e9) == "1.50G");
    CHECK(time_text(1.5e-6) == "1.50 us");
    CHECK(time_text(12e-9) == "12.0 ns");
    CHECK(time_text(0.25) == "250 ms");
    CHECK(bytes_text(96) == "96 bytes");
    CHECK(bytes_text(4.2e12) == "4.20 TB");
    CHECK(percent_text(0.034) == "3.4 %");
    CHECK(percent_text(0) == "0 %");
}
