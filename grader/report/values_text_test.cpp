#include "report/values_text.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

using State = ValuesWindow::State;

/// Elements 252 to 260 of c, wrong from 256 on.
ValuesWindow example() {
    ValuesWindow values;
    values.name = "c";
    values.elements = 1000;
    values.wrong = 744;
    values.first_wrong = 256;
    for (std::size_t i = 252; i <= 260; ++i) {
        const std::string right = std::to_string(i) + ".5";
        values.around.push_back(
            {i, right, i < 256 ? right : "0", i < 256 ? State::right : State::wrong});
    }
    return values;
}

TextStyle wide(std::size_t width) {
    TextStyle style;
    style.width = width;
    return style;
}

}  // namespace

TEST_CASE("values text: how many are wrong") {
    ValuesWindow values = example();
    CHECK(wrong_elements(values) == "744 of 1000 elements of c are wrong");
    values.wrong = 1;
    values.tolerance = "0.1";
    CHECK(wrong_elements(values) == "1 of 1000 elements of c is wrong, by more than 0.1");
    values.elements = 1;
    CHECK(wrong_elements(values) == "c is wrong, by more than 0.1");
}

TEST_CASE("values text: indices, both values, and carets under those that are wrong") {
    CHECK(joined(values_text(example(), wide(60))) ==
          "  index        253     254     255     256     257     258\n"
          "  expected   253.5   254.5   255.5   256.5   257.5   258.5\n"
          "  got        253.5   254.5   255.5       0       0       0\n"
          "                                     ^^^^^   ^^^^^   ^^^^^\n");
    CHECK(values_text(example(), wide(20)).at(0) == "  index        256");
    CHECK(values_text(example(), wide(120)).at(0).ends_with("   260"));
}

TEST_CASE("values text: what was never written is no number") {
    ValuesWindow values = example();
    values.around.erase(values.around.begin(), values.around.begin() + 3);
    values.around.erase(values.around.begin() + 4, values.around.end());
    values.around[1].state = State::never_written;
    values.around[2].state = State::uninitialized;
    CHECK(joined(values_text(values, wide(80))) ==
          "  index        255     256     257     258\n"
          "  expected   255.5   256.5   257.5   258.5\n"
          "  got        255.5       -       ?       0\n"
          "                     ^^^^^   ^^^^^   ^^^^^\n"
          "  -: never written\n"
          "  ?: device memory that nothing has written\n");
}

TEST_CASE("values text: a single number needs no index") {
    ValuesWindow values;
    values.name = "sum";
    values.elements = values.wrong = 1;
    values.around = {{0, "10.5", "9", State::wrong}};
    CHECK(joined(values_text(values, wide(80))) ==
          "  expected   10.5\n"
          "  got           9\n");
}

TEST_CASE("values text: long values are cut, and control characters shown") {
    ValuesWindow values;
    values.elements = 2;
    values.around = {{0, std::string(60, '1'), "\x1b[2J", State::wrong}};
    const Lines lines = values_text(values, wide(40));
    CHECK(lines.at(1) == "  expected" + std::string(3, ' ') + std::string(24, '1') + "...");
    CHECK(lines.at(2).ends_with("^[[2J"));
}

TEST_CASE("values text: of wide values with members, the wrong members stay") {
    ValuesWindow values;
    values.elements = 210;
    values.around = {{0, "{block 0, thread 0, warp 0, lane 0}",
                      "{block 0, thread 0, warp 0, lane 0}", State::right},
                     {1, "{block 0, thread 1, warp 0, lane 1}",
                      "{block 0, thread 1, warp 1, lane 0}", State::wrong}};
    values.first_wrong = 1;
    CHECK(joined(values_text(values, wide(80))) ==
          "  index                          0                       1\n"
          "  expected   {..., warp 0, lane 0}   {..., warp 0, lane 1}\n"
          "  got        {..., warp 0, lane 0}   {..., warp 1, lane 0}\n"
          "                                     ^^^^^^^^^^^^^^^^^^^^^\n");
    values.around[1].got = "{block 3, thread 1, warp 0, lane 1}";
    CHECK(values_text(values, wide(80)).at(2) == "  got        {block 0, ...}   {block 3, ...}");
    // Elements that were never written have no wrong member.
    values.around[1].state = State::never_written;
    CHECK(values_text(values, wide(80)).at(1).find("{block 0, thread 0,") != std::string::npos);
}
