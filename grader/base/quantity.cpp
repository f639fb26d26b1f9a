#include "base/quantity.h"

#include <fmt/format.h>

#include <initializer_list>

namespace lab {
namespace {

/// Three digits, and the prefix of the power of 1000.
std::string with_prefix(double value, std::initializer_list<const char*> prefixes) {
    const char* prefix = "";
    for (const char* next : prefixes) {
        if (value < 999.5) break;
        value /= 1000;
        prefix = next;
    }
    return fmt::format("{:.{}f}{}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, prefix);
}

}  // namespace

std::string count_text(double count) {
    return count < 9999.5 ? fmt::format("{:.0f}", count) : with_prefix(count, {"k", "M", "G", "T"});
}

std::string time_text(double seconds) {
    return with_prefix(1e9 * seconds, {" us", " ms", " s"}) + (1e9 * seconds < 999.5 ? " ns" : "");
}

std::string bytes_text(double bytes) {
    if (bytes < 999.5) return fmt::format("{:.0f} bytes", bytes);
    return with_prefix(bytes, {" KB", " MB", " GB", " TB"});
}

std::string percent_text(double share) {
    return fmt::format("{:.{}f} %", 100 * share, share > 0 && share < 0.0995 ? 1 : 0);
}

}  // namespace lab
