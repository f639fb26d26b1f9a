#include "core/visible.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("visible: text stays as it is") {
    CHECK(visible("").empty());
    CHECK(visible("a.cu(3): error\n\tint x;\n") == "a.cu(3): error\n\tint x;\n");
    CHECK(visible("caf\u00E9 \u2264 \U0001F600") == "caf\u00E9 \u2264 \U0001F600");
    CHECK(visible("a line\r\nanother\r\n") == "a line\nanother\n");
}

TEST_CASE("visible: what moves a cursor is shown, and does nothing") {
    CHECK(visible("\x1b[2J\x1b[H10 /10 points\a\b") == "^[[2J^[[H10 /10 points^G^H");
    CHECK(visible("wrong\rright") == "wrong^Mright");
    CHECK(visible("\x1b]0;title\x07") == "^[]0;title^G");
    CHECK(visible(std::string_view("a\0b\x7f", 4)) == "a^@b^?");
    CHECK(visible("\xC2\x9B"
                  "31m") == "?31m");  // CSI as one character
    CHECK(visible("\x9B"
                  "31m \xE9\n") == "?31m ?\n");  // and as one byte; Latin-1
    CHECK(visible("\xE2\x89") == "??");          // cut off
    CHECK(visible("\xC0\x9B") == "??");          // longer than need be
}
