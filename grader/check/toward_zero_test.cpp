#include "check/toward_zero.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("rounding: what is cut off goes toward 0, on both sides of it") {
    constexpr double kNextToOne = 1 + 0x1p-23;
    // Nearest is the float above 1.
    CHECK(toward_zero(1 + 0x1p-24 + 0x1p-40) == 1.0F);
    CHECK(toward_zero(-1 - 0x1p-24 - 0x1p-40) == -1.0F);
    CHECK(toward_zero(1 + 0x1p-25) == 1.0F);
    CHECK(double{toward_zero(kNextToOne)} == kNextToOne);
    CHECK(toward_zero(0) == 0.0F);
}
