#include "report/warning_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <vector>

namespace lab {
namespace {

struct Warning {
    std::string row;
    bool is_of_unused = false;
};

std::optional<Warning> warning_in(const std::string& line) {
    static const std::regex pattern(
        R"(^\S[^()]*?(?:\((\d+)\)|:(\d+)(?::\d+)?): warning(?: #[\w-]+)?: (.*)$)");
    constexpr std::size_t kLongest = 2000;  // std::regex calls itself for each character
    std::smatch parts;
    if (line.size() > kLongest || !std::regex_match(line, parts, pattern)) return std::nullopt;
    const std::string text = parts[3];
    const bool is_unused = text.find("never referenced") != std::string::npos ||
                           text.find("never used") != std::string::npos;
    return Warning{fmt::format("{:{}}line {}: {}", "", kIndent,
                               parts[1].matched ? parts[1].str() : parts[2].str(), text),
                   is_unused};
}

/// Our sentence below a warning, "    = assigns, == compares.", and not the code that it quotes.
bool is_explanation(const std::string& line) {
    constexpr std::size_t kMargin = 4;
    return line.size() > kMargin && line.find_first_not_of(' ') == kMargin && line.ends_with('.');
}

}  // namespace

Lines warning_rows(const std::string& messages) {
    std::vector<Warning> warnings;
    for (const std::string& line : split_lines(messages)) {
        if (auto warning = warning_in(line))
            warnings.push_back(*std::move(warning));
        else if (!warnings.empty() && is_explanation(line))
            warnings.back().row += (warnings.back().row.ends_with('.') ? " " : ". ") +
                                   line.substr(line.find_first_not_of(' '));
    }
    std::ranges::stable_partition(warnings, [](const Warning& one) { return !one.is_of_unused; });
    Lines rows;
    for (Warning& warning : warnings) rows.push_back(std::move(warning.row));
    return rows;
}

}  // namespace lab
