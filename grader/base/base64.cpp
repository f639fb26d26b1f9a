#include "base/base64.h"

#include <algorithm>

namespace lab {

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto byte = [&](std::size_t i) {
            return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u;
        };
        const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
        const std::size_t used = std::min<std::size_t>(bytes.size() - at, 3);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= used ? kDigits[word >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

}  // namespace lab
