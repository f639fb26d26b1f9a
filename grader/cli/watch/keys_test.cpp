#include "cli/watch/keys.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab::cli;

TEST_CASE("watch keys: the line shows the keys of commands that exist, as many as fit") {
    const auto keys = keys_for({"grade", "hint", "picture", "reset"}, true);
    CHECK(key_line(keys, 79) == "h hint  p picture  a all  r reset  n next  q quit");
    CHECK(key_line(keys, 24) == "h hint  p picture  a all");
    CHECK(key_line(keys, 23) == "h hint  p picture");
    CHECK(key_line(keys_for({"hint", "step", "picture", "review", "reset"}, true), 79) ==
          "h hint  s step  p picture  a all  v review  r reset  n next  q quit");
}

TEST_CASE("watch keys: another file than the lab's own is never reset") {
    const auto keys = keys_for({"hint", "reset"}, false);
    CHECK(key_line(keys, 79) == "h hint  a all  n next  q quit");
    CHECK(key_of(keys, 'r') == nullptr);
    CHECK(key_of(keys, 'u') == nullptr);
}

TEST_CASE("watch keys: capitals count as small letters, other characters are nothing") {
    const auto keys = keys_for({"hint"}, true);
    REQUIRE(key_of(keys, 'H') != nullptr);
    CHECK(key_of(keys, 'H')->command == "hint");
    CHECK(key_of(keys, '\r')->action == KeyAction::grade);
    CHECK(key_of(keys, ' ')->action == KeyAction::grade);
    CHECK(key_of(keys, '\x04')->action == KeyAction::quit);
    CHECK(key_of(keys, 'x') == nullptr);
    CHECK(key_of(keys, '\xc3') == nullptr);
}

TEST_CASE("watch keys: arrows and function keys type nothing") {
    CHECK(typed_characters("h\x1b[Aq") == "hq");
    CHECK(typed_characters("\x1b[15~\x1bOP\x1b[1;5Cr") == "r");
    CHECK(typed_characters("\x1bn\x1b") == "");
    CHECK(typed_characters("\x1b[") == "");
}
