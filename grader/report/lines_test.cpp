#include "report/lines.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("lines: split, with tabs as blanks") {
    CHECK(split_lines("") == Lines{});
    CHECK(split_lines("a\n\nb\n") == Lines{"a", "", "b"});
    CHECK(split_lines("\tx\n ab\ty") == Lines{"    x", " ab y"});
}

TEST_CASE("lines: messages wrap prose, and cut tables and code") {
    CHECK(message_lines("some words here\n  a  table  that is long\n\nlast", 2, 12) ==
          Lines{"  some words", "  here", "    a  ta...", "", "  last"});
    CHECK(message_lines("  code that is long\n       ^", 0, 12) ==
          Lines{"  code th...", "       ^"});
    CHECK(prose_lines("unbreakable-word x", 0, 10) == Lines{"unbreak...", "x"});
}

TEST_CASE("lines: of a signature and other indented text nothing is lost") {
    CHECK(message_lines("    expected  void f(int rows, int columns)\n    got  f()", 0, 32) ==
          Lines{"    expected  void f(int rows,", "              int columns)", "    got  f()"});
    CHECK(message_lines("  one two three four", 0, 12) == Lines{"  one two", "  three four"});
}

TEST_CASE("lines: what a submission prints cannot look like a verdict, nor move the cursor") {
    CHECK(quoted_lines("Lab 02  10 / 10 points\n\x1b[2J\x1b]52;c;cm0gLXJm\x07\n\tok\r", 30) ==
          Lines{"| Lab 02  10 / 10 points", "| ^[[2J^[]52;c;cm0gLXJm^G", "|     ok^M"});
    CHECK(quoted_lines("a very long line", 10) == Lines{"| a ver..."});
}

TEST_CASE("message lines: of a long line of code, the part around its marker") {
    const std::string
        code = "  if (x < width) frame_image[y * width + x] = frame_gain[x] * raw[y][x];",
        marker = std::string(code.find("raw"), ' ') + "^";
    CHECK(message_lines(code + "\n" + marker + "\n", 2, 40) ==
          Lines{"    ...+ x] = frame_gain[x] * raw[y][x];", std::string(30, ' ') + "^"});
    CHECK(message_lines("  short = 1;\n  ^\n", 2, 40) == Lines{"    short = 1;", "    ^"});
}
