#include "batch/intake/encoding.h"

#include <catch2/catch_all.hpp>

using namespace lab;

TEST_CASE("encoding: what is UTF-8 or no text stays as it is") {
    CHECK(!decoded(""));
    CHECK(!decoded("caf\xC3\xA9"));
    CHECK(
        !decoded(std::string_view("\x7F"
                                  "ELF\0\xE9",
                                  6)));
    CHECK(!decoded("\x81"));  // no character of Windows-1252
    CHECK(
        !decoded("\xFF\xFE"
                 "a"));  // half a character of UTF-16
}

TEST_CASE("encoding: UTF-16 in both orders, and Windows-1252") {
    const auto little =
        decoded(std::string_view("\xFF\xFE"
                                 "a\0\xE9\0",
                                 6));
    REQUIRE(little);
    CHECK(little->text == "a\xC3\xA9");
    CHECK(little->encoding == "UTF-16");
    const auto big = decoded(std::string_view("\xFE\xFF\0a\xD8\x3D\xDE\x00", 8));
    REQUIRE(big);
    CHECK(big->text == "a\xF0\x9F\x98\x80");
    const auto western = decoded("caf\xE9 \x80");
    REQUIRE(western);
    CHECK(western->text == "caf\xC3\xA9 \xE2\x82\xAC");
    CHECK(western->encoding == "Windows-1252");
}
