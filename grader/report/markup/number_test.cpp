#include "report/markup/number.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("numbers: at most two decimals, none that are 0") {
    CHECK(short_number(7) == "7");
    CHECK(short_number(100) == "100");
    CHECK(short_number(6.5) == "6.5");
    CHECK(short_number(2.0 / 3) == "0.67");
    CHECK(short_number(-0.001) == "0");
    CHECK(short_number(-1.5) == "-1.5");
}

TEST_CASE("numbers: times with their unit") {
    CHECK(microseconds_text(8.153) == "8.15 us");
    CHECK(microseconds_text(487.86) == "488 us");
    CHECK(microseconds_text(1250) == "1.25 ms");
}
