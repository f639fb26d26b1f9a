#include "base/utf8.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("utf8: lengths and code points") {
    CHECK(utf8_length("a") == 1);
    CHECK(utf8_length("\xC3\xA9") == 2);
    CHECK(utf8_length("\xF0\x9F\x98\x80") == 4);
    CHECK(utf8_length("\xC0\x80") == 0);
    CHECK(utf8_length("\xED\xA0\x80") == 0);
    CHECK(utf8_code_point("a") == U'a');
    CHECK(utf8_code_point("\xC3\xA9x") == U'\u00E9');
    CHECK(utf8_code_point("\xF0\x9F\x98\x80") == U'\U0001F600');
}

TEST_CASE("utf8: columns on a terminal") {
    CHECK(display_width("") == 0);
    CHECK(display_width("c[i]") == 4);
    CHECK(display_width("na\xC3\xAFve") == 5);       // i with two dots
    CHECK(display_width("e\xCC\x81") == 1);          // e and an accent that combines
    CHECK(display_width("\xE5\x80\xA4") == 2);       // a Chinese character
    CHECK(display_width("\xF0\x9F\x98\x80!") == 3);  // a face
    CHECK(display_width("\xFF\xFE") == 2);           // no UTF-8
    CHECK(display_width("\xE2\x80\x8B") == 0);       // a blank of no width
}

TEST_CASE("utf8: cut and padded by columns, not bytes") {
    CHECK(cut_to_width("abcdef", 6) == "abcdef");
    CHECK(cut_to_width("abcdefg", 6) == "abc...");
    CHECK(cut_to_width("\xE5\x80\xA4\xE5\x80\xA4\xE5\x80\xA4", 5) == "\xE5\x80\xA4...");
    CHECK(cut_to_width("\xE5\x80\xA4\xE5\x80\xA4\xE5\x80\xA4", 4) == "...");
    CHECK(cut_to_width("abc", 2) == "..");
    CHECK(cut_to_width("abc", 0) == "");
    CHECK(padded("\xE5\x80\xA4", 4) == "\xE5\x80\xA4  ");
    CHECK(padded("abc", 2) == "abc");
}
