#include "batch/intake/times.h"

#include <regex>

namespace lab {

std::optional<Time> parse_date(const std::string& text) {
    static const std::regex form(
        "\\s*(\\d{4})-(\\d\\d)-(\\d\\d)[T ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.\\d+)?)?\\s*"
        "(?:Z|UTC|([+-])(\\d\\d):?(\\d\\d))\\s*");
    std::smatch match;
    if (text.size() > 100 || !std::regex_match(text, match, form)) return std::nullopt;
    const auto number = [&](std::size_t group) {
        return match[group].matched ? std::stoi(match[group]) : 0;
    };
    const std::chrono::year_month_day day{std::chrono::year(number(1)),
                                          std::chrono::month(static_cast<unsigned>(number(2))),
                                          std::chrono::day(static_cast<unsigned>(number(3)))};
    if (!day.ok() || number(4) > 23 || number(5) > 59 || number(6) > 60) return std::nullopt;
    const int offset = (number(8) * 60 + number(9)) * (match[7] == "-" ? -1 : 1);
    return std::chrono::sys_days(day) + std::chrono::hours(number(4)) +
           std::chrono::minutes(number(5) - offset) + std::chrono::seconds(number(6));
}

}  // namespace lab
