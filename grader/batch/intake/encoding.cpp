#include "batch/intake/encoding.h"

#include <iconv.h>

#include "base/utf8.h"

namespace lab {
namespace {

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::optional<std::string> converted(std::string_view bytes, const char* from) {
    const iconv_t converter = iconv_open("UTF-8", from);
    if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
    std::string input(bytes), output(3 * bytes.size(), '\0');  // at most three bytes for each
    char *in = input.data(), *out = output.data();
    std::size_t in_left = input.size(), out_left = output.size();
    const bool ok =
        iconv(converter, &in, &in_left, &out, &out_left) != static_cast<std::size_t>(-1);
    iconv_close(converter);
    if (!ok) return std::nullopt;
    output.resize(output.size() - out_left);
    return output;
}

}  // namespace

std::optional<Decoded> decoded(std::string_view bytes) {
    if (is_utf8(bytes)) return std::nullopt;
    const bool is_utf16 = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
    if (!is_utf16 && bytes.find('\0') != std::string_view::npos) return std::nullopt;
    const std::string encoding = is_utf16 ? "UTF-16" : "Windows-1252";
    auto text = converted(bytes, encoding.c_str());
    if (!text) return std::nullopt;
    return Decoded{*std::move(text), encoding};
}

}  // namespace lab
