#include "report/markup/html.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("html: text stays text") {
    CHECK(text_html("<script>alert('a' & \"b\")</script>").markup() ==
          "&lt;script&gt;alert(&#39;a&#39; &amp; &quot;b&quot;)&lt;/script&gt;");
    CHECK(text_html("\x1b[2J\xE2\x80\xAEx\xFF").markup() == "^[[2J?x?");
    CHECK(text_html("two\nlines").markup() == "two\nlines");
}

TEST_CASE("html: a name is one line with a direction of its own") {
    CHECK(name_html("A\n<b>").markup() == "<bdi>A^J&lt;b&gt;</bdi>");
}

TEST_CASE("html: an element ends by its name alone") {
    CHECK(element("td class='number'", text_html("<")).markup() == "<td class='number'>&lt;</td>");
}

TEST_CASE("html: links lead into the report only") {
    CHECK(link_to("feedback/ada/02-vector-add.html", Html("x")).markup() ==
          "<a href=\"feedback/ada/02-vector-add.html\">x</a>");
    CHECK_THROWS_AS(link_to("javascript:alert(1)", Html("x")), Failure);
    CHECK_THROWS_AS(link_to("a\" onclick=\"x", Html("x")), Failure);
}

TEST_CASE("html: an image holds the drawing, its description is escaped") {
    const std::string image = svg_image("<?xml?><svg a='1'></svg>", "\"><script>").markup();
    CHECK_THAT(image, ContainsSubstring("alt=\"&quot;&gt;&lt;script&gt;\""));
    // "<svg a='1'><style>": what comes before <svg is left out, the style goes in.
    CHECK_THAT(image, ContainsSubstring("base64,PHN2ZyBhPScxJz48c3R5bGU+"));
}

TEST_CASE("html: positions stay within their parent") {
    CHECK(positioned("good", -5, 130).markup() ==
          "<span class='good' style='left:0.0%;width:100.0%'></span>");
}

TEST_CASE("html: a document forbids scripts and everything from elsewhere") {
    const std::string page = html_document("</title><script>", Html("<p>x</p>"));
    CHECK_THAT(page, ContainsSubstring("<title>&lt;/title&gt;&lt;script&gt;</title>"));
    CHECK_THAT(page, ContainsSubstring("default-src 'none'"));
    CHECK_THAT(page, ContainsSubstring("<p>x</p>"));
}
