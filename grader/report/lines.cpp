#include "report/lines.h"

#include <sstream>

#include "core/utf8.h"
#include "core/visible.h"
#include "report/style.h"

namespace lab {
namespace {

constexpr std::size_t kTab = 4;

/// Tabs as blanks, up to the next of columns 4, 8, ...
std::string without_tabs(std::string_view line) {
    std::string text;
    for (const char c : line) {
        if (c == '\t')
            text.append(kTab - display_width(text) % kTab, ' ');
        else
            text += c;
    }
    return text;
}

}  // namespace

Lines split_lines(std::string_view text) {
    Lines lines;
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);) lines.push_back(without_tabs(line));
    return lines;
}

Lines prose_lines(std::string_view text, std::size_t indent, std::size_t width) {
    Lines lines = split_lines(wrapped(text, indent, width));
    for (std::string& line : lines) line = cut_to_width(line, width);
    return lines;
}

Lines message_lines(std::string_view text, std::size_t indent, std::size_t width) {
    Lines result;
    for (const std::string& line : split_lines(text)) {
        const bool is_prose = !line.empty() && line.front() != ' ';
        if (is_prose)
            append(result, prose_lines(line, indent, width));
        else
            result.push_back(line.empty() ? ""
                                          : cut_to_width(std::string(indent, ' ') + line, width));
    }
    return result;
}

Lines quoted_lines(std::string_view text, std::size_t width) {
    Lines lines = split_lines(visible(text));
    for (std::string& line : lines) line = cut_to_width("| " + line, width);
    return lines;
}

void append(Lines& lines, const Lines& more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace lab
