#include "check/explain/ended_if.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

namespace lab {
namespace {

/// Whether the line begins with an if whose condition is followed by a ; at once.
bool is_ended_if(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || !line.substr(begin).starts_with("if")) return false;
    std::size_t at = line.find_first_not_of(" \t", begin + 2);
    if (at == std::string_view::npos || line[at] != '(') return false;
    int depth = 0;
    for (; at < line.size(); ++at) {
        if (line[at] == '(') ++depth;
        if (line[at] == ')' && --depth == 0) break;
    }
    if (at >= line.size()) return false;
    at = line.find_first_not_of(" \t", at + 1);
    return at != std::string_view::npos && line[at] == ';';
}

}  // namespace

std::string ended_if(const std::string& file, int line) {
    constexpr int kAbove = 3;  // chosen: the brace and a declaration may come between
    std::ifstream source(file);
    std::string text;
    int found = 0;
    for (int number = 1; number <= line && std::getline(source, text); ++number) {
        if (number >= line - kAbove && is_ended_if(text)) found = number;
    }
    if (found == 0) return "";
    return fmt::format(
        "The if on line {} ends at the ; after its condition, so it keeps no thread away.", found);
}

}  // namespace lab
