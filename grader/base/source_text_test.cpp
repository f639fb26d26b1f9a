#include "base/source_text.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

std::string joined(std::string_view text) {
    std::string all;
    for (const SourceToken& token : source_tokens(text))
        all += (all.empty() ? "" : "|") + std::string(token.text);
    return all;
}

}  // namespace

TEST_CASE("source text: names, numbers, operators and literals are tokens, comments are not") {
    CHECK(joined("k<<<n, 1>>>(a); // x\n") == "k|<<<|n|,|1|>>>|(|a|)|;");
    CHECK(joined("x /* y */ += 1'000u * .5e-3f - 0xe-1;") == "x|+=|1'000u|*|.5e-3f|-|0xe|-|1|;");
    CHECK(joined("f(\"a // \\\" b\", 'c');") == "f|(|\"a // \\\" b\"|,|'c'|)|;");
    CHECK(joined("threadIdx.x != a->b::c").find("threadIdx|.|x|!=|a|->|b|::|c") == 0);
    CHECK(joined("// only this") == "");
}

TEST_CASE("source text: tokens know where they stand") {
    const std::string text = "int a;  // one\n/* two\nthree */ b\n";
    const auto tokens = source_tokens(text);
    REQUIRE(tokens.size() == 4);
    CHECK(tokens[1].line == 1);
    CHECK(tokens[1].begin == 4);
    CHECK(tokens[1].end() == 5);
    CHECK(tokens[3].text == "b");
    CHECK(tokens[3].line == 3);
}

TEST_CASE("source text: the body of a function is that of its definition") {
    const std::vector<SourceToken> tokens = source_tokens(
        "void f(int);\nint g() { return f(1); }\nvoid f(int n) { if (n) { h(n); } }\nvoid k() { {");
    const auto body = function_body(tokens, "f");
    REQUIRE(body.size() == 13);
    CHECK(body.front().text == "{");
    CHECK(body.front().line == 3);
    CHECK(body[6].text == "h");
    CHECK(body.back().text == "}");
    CHECK(function_body(tokens, "h").empty());
    CHECK(function_body(tokens, "k").size() == 2);  // to the end
}

TEST_CASE("source text: blanked comments and literals keep every position") {
    CHECK(code_only("a // b\nc /* d\n */ \"e\" 'f' 1'000") == "a     \nc     \n            1'000");
}
