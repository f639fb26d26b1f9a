#include "cli/progress_line.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;
using lab::cli::ProgressLine;

TEST_CASE("progress line: nothing is said of a short wait") {
    ProgressLine line(true);
    CHECK(line.update({.done = 5, .total = 10, .seconds = 2.9}).empty());
    CHECK(line.update({.is_done = true}).empty());
}

TEST_CASE("progress line: on a terminal one line is rewritten, and erased at the end") {
    ProgressLine line(true);
    CHECK(line.update({.done = 0, .total = 90, .seconds = 4}) ==
          "\r\x1b[KBuilding the tests: 0 of 90 steps");
    CHECK(line.update({.done = 30, .total = 90, .seconds = 21}) ==
          "\r\x1b[KBuilding the tests: 30 of 90 steps, about 45 s left");
    CHECK(line.update({.done = 30, .total = 90, .seconds = 60}) ==
          "\r\x1b[KBuilding the tests: 30 of 90 steps, about 2 min left");
    CHECK(line.update({.is_done = true}) == "\r\x1b[K");
    CHECK(line.update({.is_done = true}).empty());
}

TEST_CASE("progress line: elsewhere a line is added every 15 s") {
    ProgressLine line(false);
    CHECK(line.update({.done = 1, .total = 2, .seconds = 3}) ==
          "Building the tests: 1 of 2 steps, about 5 s left\n");
    CHECK(line.update({.done = 1, .total = 2, .seconds = 17}).empty());
    CHECK(line.update({.done = 1, .total = 2, .seconds = 18}) ==
          "Building the tests: 1 of 2 steps, about 20 s left\n");
    CHECK(line.update({.is_done = true}).empty());
}

TEST_CASE("progress line: waiting for another build is said at once") {
    ProgressLine line(false);
    CHECK(line.update({.is_waiting = true}) == "Another lab is building here; waiting for it\n");
}
