// Taking tokens, and reading the numbers among them.
#include "ptx/cursor.h"

#include <bit>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace vgpu::ptx {
namespace {

[[noreturn]] void fail_number(const Token& token) {
    fail(token.line, fmt::format("{} is no number", describe(token)));
}

std::uint64_t read_integer(const Token& token, std::string_view digits, int base) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error == std::errc::result_out_of_range) {
        fail(token.line, fmt::format("{} does not fit into 64 bits", describe(token)));
    }
    if (error != std::errc{} || end != digits.data() + digits.size()) fail_number(token);
    return value;
}

}  // namespace

Immediate read_number(const Token& token) {
    std::string_view text = token.text;
    const char prefix = text.size() > 1 && text[0] == '0' ? char(text[1] | 0x20) : '\0';
    if (prefix == 'f' || prefix == 'd') {  // the bits of an IEEE number
        const std::size_t digits = prefix == 'f' ? 8 : 16;
        if (text.size() != digits + 2) fail_number(token);
        return {read_integer(token, text.substr(2), 16), true, std::uint8_t(digits * 4)};
    }
    if (prefix != 'x' && text.find_first_of(".eE") != std::string_view::npos) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) fail_number(token);
        return {std::bit_cast<std::uint64_t>(value), true, 64};
    }
    if (text.ends_with('U') || text.ends_with('u')) text.remove_suffix(1);
    if (prefix == 'x') return {read_integer(token, text.substr(2), 16), false, 0};
    if (prefix == 'b') return {read_integer(token, text.substr(2), 2), false, 0};
    return {read_integer(token, text, text.size() > 1 && text[0] == '0' ? 8 : 10), false, 0};
}

Token Cursor::take() {
    const Token taken = current_;
    current_ = ahead_;
    ahead_ = lexer_.next();
    return taken;
}

bool Cursor::accept(char c) {
    if (!current_.is(c)) return false;
    take();
    return true;
}

bool Cursor::accept(std::string_view word) {
    if (!current_.is(word)) return false;
    take();
    return true;
}

void Cursor::expect(char c) {
    if (!accept(c)) fail_expected(fmt::format("'{}'", c));
}

std::string_view Cursor::expect_name(std::string_view what) {
    if (current_.kind != Token::Kind::word || current_.is_directive()) fail_expected(what);
    return take().text;
}

std::string_view Cursor::expect_string(std::string_view what) {
    if (current_.kind != Token::Kind::string) fail_expected(what);
    return take().text;
}

std::uint64_t Cursor::expect_count(std::string_view what, std::uint64_t largest) {
    if (current_.kind != Token::Kind::number) fail_expected(what);
    const Immediate number = read_number(current_);
    if (number.is_float) fail_expected(what);
    if (number.bits > largest) {
        fail(line(),
             fmt::format("{} is {}, but at most {} is possible", what, number.bits, largest));
    }
    take();
    return number.bits;
}

std::int64_t Cursor::expect_offset() {
    const bool negative = accept('-');
    const auto magnitude =
        expect_count("an offset", std::uint64_t(std::numeric_limits<std::int64_t>::max()));
    return negative ? -std::int64_t(magnitude) : std::int64_t(magnitude);
}

void Cursor::skip_parenthesised() {
    expect('(');
    for (int depth = 1; depth > 0;) {
        if (current_.kind == Token::Kind::end) fail_expected("')'");
        const Token token = take();
        depth += token.is('(') ? 1 : token.is(')') ? -1 : 0;
    }
}

void Cursor::fail_expected(std::string_view what) const {
    fail(line(), fmt::format("expected {}, got {}", what, describe(current_)));
}

}  // namespace vgpu::ptx
