#include "report/time_spent_text.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("time spent: longest first, what nobody claims, and no part too short to matter") {
    Grading grading;
    grading.checked.timings = {{"calls of tests", 0.5}, {"timed calls", 1.25}, {"blinking", 0.004}};
    grading.seconds = {.nvcc = 0.75, .check = 2, .all = 3.25};
    CHECK(time_spent_text(grading) ==
          "\nWhere the time went, in seconds:\n"
          "    1.25  timed calls\n"
          "    0.75  nvcc\n"
          "    0.50  calls of tests\n"
          "    0.50  linking, and looking for the device\n"
          "    0.25  the rest of the checker: right answers, comparing\n"
          "    3.25  in all\n");
}
