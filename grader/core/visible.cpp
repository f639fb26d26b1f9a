#include "core/visible.h"

#include "core/utf8.h"

namespace lab {

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
        } else if (text[0] == '\r' && text.size() > 1 && text[1] == '\n') {
            // The line feed says it.
        } else if ((first < 0x20 && text[0] != '\n' && text[0] != '\t') || text[0] == kDelete) {
            shown += {'^', static_cast<char>(first ^ 0x40)};
        } else {
            shown += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return shown;
}

}  // namespace lab
