// Tokens: where words and numbers end, and what a message shows of them.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "ptx/lexer.h"
#include "vgpu/device.h"

using namespace vgpu::ptx;

namespace {

std::vector<std::string> tokens(std::string_view text) {
    Lexer lexer(text);
    std::vector<std::string> result;
    for (Token t = lexer.next(); t.kind != Token::Kind::end; t = lexer.next()) {
        result.emplace_back(t.text);
    }
    return result;
}

std::string error_of(std::string_view text) {
    try {
        tokens(text);
    } catch (const vgpu::Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("lexer: directives end at a dot, opcodes and registers do not") {
    CHECK(tokens(".reg.pred p;") == std::vector<std::string>{".reg", ".pred", "p", ";"});
    CHECK(tokens("ld.shared::cta.u32 %tid.x") ==
          std::vector<std::string>{"ld.shared::cta.u32", "%tid.x"});
    CHECK(tokens("$L__BB0_1:bra") == std::vector<std::string>{"$L__BB0_1", ":", "bra"});
}

TEST_CASE("lexer: numbers keep their suffix, point and exponent") {
    CHECK(tokens("1e-5+2") == std::vector<std::string>{"1e-5", "+", "2"});
    CHECK(tokens("0x1e-5") == std::vector<std::string>{"0x1e", "-", "5"});
    CHECK(tokens("12U,9.0") == std::vector<std::string>{"12U", ",", "9.0"});
}

TEST_CASE("lexer: comments and strings; lines are counted through them") {
    Lexer lexer("// one\n/* two\n three */ \"a \\\" b\" x");
    const Token text = lexer.next();
    CHECK(text.kind == Token::Kind::string);
    CHECK(text.text == "a \\\" b");
    CHECK(text.line == 3);
    CHECK(lexer.next().text == "x");
    CHECK(lexer.next().kind == Token::Kind::end);
    CHECK(lexer.next().kind == Token::Kind::end);
}

TEST_CASE("lexer: messages") {
    CHECK(error_of("a\n/* b") == "PTX line 2: a comment /* has no end */");
    CHECK(error_of("\"abc\n\"") == "PTX line 1: a string has no closing \"");
    CHECK(error_of("\"abc\\") == "PTX line 1: a string has no closing \"");
    Token token{Token::Kind::word, std::string_view("a\x01\xff", 3), 1};
    CHECK(describe(token) == "'a\\x01\\xff'");
    const std::string longer(100, 'a');
    token.text = longer;
    CHECK(describe(token) == "'" + std::string(60, 'a') + "...'");
    CHECK(describe(Token{}) == "the end of the text");
}
