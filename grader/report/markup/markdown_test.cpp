#include "report/markup/markdown.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

TEST_CASE("markdown: markup in text is text") {
    CHECK(markdown_text("a*b_ c`d`[e](f)<g>|~#$!&{}\\") ==
          R"(a\*b\_ c\`d\`\[e\](f)\<g\>\|\~\#\$\!\&\{\}\\)");
    CHECK(markdown_text("two\nlines\tand a tab") == "two lines and a tab");
    CHECK(markdown_text("\x1b[2J") == R"(^\[\[2J)");
    CHECK(markdown_text("launch_vector_add: _x_ __y") == R"(launch_vector_add: \_x\_ \_\_y)");
    CHECK(markdown_text("n = 1.5: x") == "n = 1.5: x");
}

TEST_CASE("markdown: nothing becomes a link or calls anybody") {
    CHECK(markdown_text("http://evil.example www.evil.example a@b.example @everyone") ==
          "http&#58;//evil.example www&#46;evil.example a&#64;b.example &#64;everyone");
}

TEST_CASE("markdown: a block of code ends where it should") {
    CHECK(markdown_code("a\n") == "```\na\n```\n");
    CHECK(markdown_code("a", "cpp") == "```cpp\na\n```\n");
    CHECK(markdown_code("x\n`````\n<b>\n") == "``````\nx\n`````\n<b>\n``````\n");
    CHECK(markdown_code("") == "```\n```\n");
}
