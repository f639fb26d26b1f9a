#include "core/source_text.h"

#include <algorithm>
#include <cctype>

namespace lab {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string code_only(std::string_view text) {
    std::string code(text);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, code.size()); ++i)
            if (code[i] != '\n') code[i] = ' ';
    };
    for (std::size_t i = 0; i < code.size();) {
        std::size_t end = i + 1;
        if (text.substr(i, 2) == "//") {
            end = std::min(text.find('\n', i), text.size());
            blank(i, end);
        } else if (text.substr(i, 2) == "/*") {
            const auto close = text.find("*/", i + 2);
            end = close == std::string_view::npos ? text.size() : close + 2;
            blank(i, end);
        } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
            while (end < text.size() && text[end] != text[i] && text[end] != '\n')
                end += text[end] == '\\' ? 2u : 1u;
            blank(i, ++end);
        }
        i = end;
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

}  // namespace lab
