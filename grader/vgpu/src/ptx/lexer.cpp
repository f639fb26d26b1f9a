// Tokens by one table look-up a character; see lexer.h for the rule about dots.
#include "ptx/lexer.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "vgpu/device.h"

namespace vgpu::ptx {
namespace {

enum CharacterClass : std::uint8_t { kOther = 0, kSpace = 1, kDigit = 2, kWord = 4 };

constexpr std::array<std::uint8_t, 256> kClass = [] {
    std::array<std::uint8_t, 256> table{};
    for (const char c : {' ', '\t', '\r', '\n', '\f', '\v'}) table[std::size_t(c)] = kSpace;
    for (char c = '0'; c <= '9'; ++c) table[std::size_t(c)] = kDigit;
    for (char c = 'a'; c <= 'z'; ++c) table[std::size_t(c)] = kWord;
    for (char c = 'A'; c <= 'Z'; ++c) table[std::size_t(c)] = kWord;
    for (const char c : {'_', '$', '%'}) table[std::size_t(c)] = kWord;
    return table;
}();

bool has_class(char c, int classes) {
    return (kClass[static_cast<unsigned char>(c)] & classes) != 0;
}

std::size_t word_length(std::string_view s) {
    const bool directive = s.front() == '.';
    std::size_t i = 1;
    while (i < s.size()) {
        if (has_class(s[i], kWord | kDigit) || (s[i] == '.' && !directive)) {
            ++i;
        } else if (s[i] == ':' && i + 2 < s.size() && s[i + 1] == ':' &&
                   has_class(s[i + 2], kWord | kDigit)) {
            i += 3;  // ".shared::cta"
        } else {
            break;
        }
    }
    return i;
}

std::size_t number_length(std::string_view s) {
    const bool decimal = s.size() < 2 || s[0] != '0' || has_class(s[1], kDigit) || s[1] == '.';
    std::size_t i = 1;
    while (i < s.size()) {
        const bool exponent_sign =
            decimal && (s[i] == '+' || s[i] == '-') && (s[i - 1] == 'e' || s[i - 1] == 'E');
        if (!has_class(s[i], kWord | kDigit) && s[i] != '.' && !exponent_sign) break;
        ++i;
    }
    return i;
}

}  // namespace

void Lexer::skip_space_and_comments() {
    while (!rest_.empty()) {
        std::size_t length = 0;
        if (has_class(rest_[0], kSpace)) {
            while (length < rest_.size() && has_class(rest_[length], kSpace)) {
                if (rest_[length++] == '\n') ++line_;
            }
        } else if (rest_.starts_with("//")) {
            length = std::min(rest_.find('\n'), rest_.size());
        } else if (rest_.starts_with("/*")) {
            const std::size_t close = rest_.find("*/", 2);
            if (close == std::string_view::npos) fail(line_, "a comment /* has no end */");
            length = close + 2;
            for (const char c : rest_.substr(0, length)) line_ += c == '\n';
        } else {
            return;
        }
        rest_.remove_prefix(length);
    }
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
    const Token token{kind, rest_.substr(0, length), line_};
    rest_.remove_prefix(length);
    return token;
}

Token Lexer::next() {
    skip_space_and_comments();
    if (rest_.empty()) return take(Token::Kind::end, 0);
    const char c = rest_[0];
    if (has_class(c, kWord)) return take(Token::Kind::word, word_length(rest_));
    if (c == '.' && rest_.size() > 1 && has_class(rest_[1], kWord | kDigit)) {
        return take(Token::Kind::word, word_length(rest_));
    }
    if (has_class(c, kDigit)) return take(Token::Kind::number, number_length(rest_));
    if (c == '"') {
        std::size_t close = 1;
        while (close < rest_.size() && rest_[close] != '"' && rest_[close] != '\n') {
            close += rest_[close] == '\\' ? 2u : 1u;
        }
        if (close >= rest_.size() || rest_[close] != '"') fail(line_, "a string has no closing \"");
        Token token = take(Token::Kind::string, close + 1);
        token.text = token.text.substr(1, close - 1);
        return token;
    }
    return take(Token::Kind::punctuation, 1);
}

std::string describe(const Token& token) {
    if (token.kind == Token::Kind::end) return "the end of the text";
    constexpr std::size_t kLongest = 60;  // a line of a message, not the whole garbage
    std::string shown;
    for (const char c : token.text.substr(0, kLongest)) {
        if (c >= ' ' && c <= '~') {
            shown += c;
        } else {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
    }
    if (token.text.size() > kLongest) shown += "...";
    return token.kind == Token::Kind::string ? fmt::format("\"{}\"", shown)
                                             : fmt::format("'{}'", shown);
}

void fail(std::uint32_t line, std::string_view message) {
    throw Error(fmt::format("PTX line {}: {}", line, message));
}

}  // namespace vgpu::ptx
