#include "report/markup/file_name.h"

#include <algorithm>
#include <cctype>

#include "base/files.h"

namespace lab {
namespace {

constexpr std::size_t kLongest = 60, kHashDigits = 8;

bool is_plain(char c) {
    return (std::isalnum(static_cast<unsigned char>(c)) != 0 &&
            static_cast<unsigned char>(c) < 0x80) ||
           c == '.' || c == '_' || c == '-';
}

/// A name that Windows, too, takes for a file in this folder, and no shell for an option.
bool is_good(std::string_view name) {
    constexpr std::string_view kDevices[] = {"con", "prn", "aux", "nul"};
    const bool is_device =
        std::ranges::find(kDevices, name) != std::end(kDevices) ||
        ((name.starts_with("com") || name.starts_with("lpt")) && name.size() == 4);
    return !name.empty() && name.size() <= kLongest && !is_device && name.front() != '.' &&
           name.front() != '-' && name.back() != '.' &&
           std::ranges::all_of(name, [](char c) { return is_plain(c) && (c < 'A' || c > 'Z'); });
}

}  // namespace

std::string file_name_of(std::string_view name) {
    if (is_good(name)) return std::string(name);
    std::string plain;
    for (const char c : name.substr(0, kLongest - kHashDigits - 1)) {
        if (is_plain(c))
            plain += c;
        else if (!plain.ends_with('_'))
            plain += '_';
    }
    const auto begin = plain.find_first_not_of(".-_");
    plain.erase(0, std::min(begin, plain.size()));
    return (plain.empty() ? "student" : plain) + "-" + sha256(name).substr(0, kHashDigits);
}

}  // namespace lab
