#include "base/visible.h"

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

TEST_CASE("visible: what turns the direction of text, or ends lines unseen, is shown") {
    CHECK(visible("a\u202Eb\u2066c\u2028d\u200Fe\u061Cf") == "a?b?c?d?e?f");
    CHECK(visible("\u05D0\u0628") == "\u05D0\u0628");  // letters keep theirs
}

TEST_CASE("visible: names and paths stay on one line") {
    CHECK(visible_word("a b.cu") == "a b.cu");
    CHECK(visible_word("a\n10 / 10 points\tb\x1b]52;c;\x07") == "a^J10 / 10 points^Ib^[]52;c;^G");
}
