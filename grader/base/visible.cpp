#include "base/visible.h"

#include "base/utf8.h"

namespace lab {
namespace {

/// Line and paragraph separators, and characters that change the direction of text: with them a
/// line may show different code from its contents.
bool rearranges(char32_t code) {
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (0x2028 <= code && code <= 0x202E) || (0x2066 <= code && code <= 0x2069);
}

}  // namespace

std::string visible(std::string_view text) {
    constexpr char kDelete = 0x7F;
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text[0]);
        if (length == 0) {
            shown += '?';
        } else if (length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0) {
            shown += '?';
        } else if (length > 1 && rearranges(utf8_code_point(text))) {
            shown += '?';
        } else if (text[0] == '\r' && text.size() > 1 && text[1] == '\n') {
            // The line feed is enough.
        } else if ((first < 0x20 && text[0] != '\n' && text[0] != '\t') || text[0] == kDelete) {
            shown += {'^', static_cast<char>(first ^ 0x40)};
        } else {
            shown += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return shown;
}

std::string visible_word(std::string_view text) {
    std::string word;
    for (const char c : visible(text)) {
        if (c == '\n')
            word += "^J";
        else if (c == '\t')
            word += "^I";
        else
            word += c;
    }
    return word;
}

}  // namespace lab
