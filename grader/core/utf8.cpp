#include "core/utf8.h"

namespace lab {

std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto in = [](unsigned value, unsigned low, unsigned high) {
        return low <= value && value <= high;
    };
    const auto tail = [&](std::size_t i) { return in(byte(i), 0x80, 0xBF); };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    if (in(first, 0xC2, 0xDF)) return tail(1) ? 2 : 0;
    if (in(first, 0xE0, 0xEF)) {
        const bool good = in(second, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF);
        return good && tail(2) ? 3 : 0;
    }
    if (in(first, 0xF0, 0xF4)) {
        const bool good = in(second, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF);
        return good && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

}  // namespace lab
