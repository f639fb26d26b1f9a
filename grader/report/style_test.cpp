#include "report/style.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("style: words for a shell") {
    CHECK(shell_word("plain-word_1.cu") == "plain-word_1.cu");
    CHECK(shell_word("two words") == "\"two words\"");
    CHECK(shell_word("") == "\"\"");
    CHECK(shell_word("a \"b\" $c `d` \\e") == "\"a \\\"b\\\" \\$c \\`d\\` \\\\e\"");
}

TEST_CASE("style: prose is wrapped between words, paragraphs stay") {
    CHECK(wrapped("one two three\n\nfour", 2, 10) == "  one two\n  three\n\n  four\n");
    CHECK(wrapped("a-word-longer-than-the-line b", 0, 10) == "a-word-longer-than-the-line\nb\n");
    CHECK(wrapped("") == "");
    CHECK(wrapped("\u00E9\u00E9 \u00E9\u00E9", 0, 5) == "\u00E9\u00E9 \u00E9\u00E9\n");
}

TEST_CASE("style: colours only when asked for") {
    TextStyle style;
    CHECK(Painter(style)(Colour::bad, "FAIL") == "FAIL");
    style.colour = true;
    CHECK(Painter(style)(Colour::bad, "FAIL") == "\x1b[1;31mFAIL\x1b[0m");
    CHECK(Painter(style)(Colour::plain, "FAIL") == "FAIL");
    CHECK(Painter(style)(Colour::bad, "") == "");
}
