#include "report/markup/number.h"

#include <fmt/format.h>

namespace lab {

std::string short_number(double value) {
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string microseconds_text(double us) {
    if (us >= 1000) return fmt::format("{:.3g} ms", us / 1000);
    return fmt::format("{:.3g} us", us);
}

}  // namespace lab
