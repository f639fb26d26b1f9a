#include "base/source_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lab {
namespace {

/// Where the comment that begins at `i` ends; `i` when none begins there.
std::size_t end_of_comment(std::string_view text, std::size_t i) {
    if (text.substr(i, 2) == "//") return std::min(text.find('\n', i), text.size());
    if (text.substr(i, 2) != "/*") return i;
    const auto close = text.find("*/", i + 2);
    return close == std::string_view::npos ? text.size() : close + 2;
}

/// Where the literal in quotes that begins at `i` ends, at the end of its line at the latest; `i`
/// when none begins there. The quote in 1'000 begins none.
std::size_t end_of_literal(std::string_view text, std::size_t i) {
    const bool begins = text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])));
    if (!begins) return i;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != text[i] && text[end] != '\n')
        end += text[end] == '\\' ? 2u : 1u;
    return std::min(end + 1, text.size());
}

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Where the number that begins at `i` ends: 1'000, 0x1fu, .5f, 1e-3.
std::size_t end_of_number(std::string_view text, std::size_t i) {
    std::size_t end = i + 1;
    while (end < text.size()) {
        const char c = text[end], before = text[end - 1];
        const bool is_exponents_sign =
            (c == '+' || c == '-') && (before == 'e' || before == 'E') && text.substr(i, 2) != "0x";
        if (!is_word(c) && c != '.' && c != '\'' && !is_exponents_sign) break;
        ++end;
    }
    return end;
}

std::size_t end_of_operator(std::string_view text, std::size_t i) {
    static constexpr std::array<std::string_view, 26> kLong = {
        "<<<", ">>>", "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
        "++",  "--",  "+=",  "-=",  "*=",  "/=", "%=", "|=", "&=", "^=", "->", "::", "##"};
    const auto found = std::ranges::find_if(
        kLong, [&](std::string_view token) { return text.substr(i).starts_with(token); });
    return i + (found == kLong.end() ? 1 : found->size());
}

std::size_t end_of_token(std::string_view text, std::size_t i) {
    if (const auto end = end_of_literal(text, i); end > i) return end;
    if (is_digit(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1])))
        return end_of_number(text, i);
    if (!is_word(text[i])) return end_of_operator(text, i);
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    return end;
}

}  // namespace

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<SourceToken> source_tokens(std::string_view text) {
    std::vector<SourceToken> tokens;
    int line = 1;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = end_of_comment(text, i);
        if (end == i && std::isspace(static_cast<unsigned char>(text[i])) != 0) ++end;
        if (end == i) {
            end = end_of_token(text, i);
            tokens.push_back({text.substr(i, end - i), i, line});
        }
        const std::string_view passed = text.substr(i, end - i);
        line += static_cast<int>(std::ranges::count(passed, '\n'));
        i = end;
    }
    return tokens;
}

namespace {

using At = std::vector<SourceToken>::const_iterator;

/// Past the bracket that closes the one at `open`.
At after_closing(At open, At end, std::string_view opening, std::string_view closing) {
    int depth = 0;
    for (; open != end; ++open) {
        if (open->text == opening) ++depth;
        if (open->text == closing && --depth == 0) return open + 1;
    }
    return end;
}

}  // namespace

std::vector<SourceToken> function_body(const std::vector<SourceToken>& tokens,
                                       std::string_view name) {
    for (At at = tokens.begin(); at != tokens.end(); ++at) {
        if (at->text != name || at + 1 == tokens.end() || (at + 1)->text != "(") continue;
        const At body = after_closing(at + 1, tokens.end(), "(", ")");
        if (body == tokens.end() || body->text != "{") continue;
        return {body, after_closing(body, tokens.end(), "{", "}")};
    }
    return {};
}

std::string code_only(std::string_view text) {
    std::string code(text);
    for (std::size_t i = 0; i < code.size();) {
        std::size_t end = std::max(end_of_comment(text, i), end_of_literal(text, i));
        for (std::size_t at = i; at < end; ++at)
            if (code[at] != '\n') code[at] = ' ';
        i = std::max(end, i + 1);
    }
    return code;
}

std::string_view line_at(std::string_view text, int number) {
    std::size_t begin = 0;
    for (int line = 1; line < number && begin != std::string_view::npos; ++line) {
        begin = text.find('\n', begin);
        if (begin != std::string_view::npos) ++begin;
    }
    if (number < 1 || begin >= text.size()) return {};
    return text.substr(begin, text.find('\n', begin) - begin);
}

std::vector<std::string> source_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace lab
