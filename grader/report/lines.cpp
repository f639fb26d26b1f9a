#include "report/lines.h"

#include <optional>
#include <sstream>

#include "base/utf8.h"
#include "base/visible.h"
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

/// The start of the text in a line, after its indentation and its label, if it has one: at "void"
/// in "    expected  void f(int n)". Nothing for a row of a table.
std::optional<std::size_t> text_column(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t gap = line.find("  ", begin);
    if (gap == std::string::npos) return begin;
    const std::size_t text = line.find_first_not_of(' ', gap);
    if (text == std::string::npos || line.find("  ", text) != std::string::npos) return {};
    return text;
}

bool is_marker(const std::string& line) {
    return line.find_first_not_of(" ^~") == std::string::npos && line.find('^') != line.npos;
}

/// Wraps an indented line; further lines begin below the start of its text.
Lines hanging_lines(const std::string& line, std::size_t column, std::size_t width) {
    Lines lines = prose_lines(line.substr(column), column, width);
    if (!lines.empty()) lines.front() = line.substr(0, column) + lines.front().substr(column);
    return lines;
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

/// Code and its marker: of a long line, the part around the marker.
Lines marked_lines(std::string code, std::string marker, std::size_t width) {
    constexpr std::size_t kDots = 3, kAfter = 8;  // some code behind the marker, chosen
    const std::size_t begin = code.find_first_not_of(' '), caret = marker.find('^');
    const bool is_plain = display_width(code) == code.size() && caret < code.size();
    const std::size_t last = std::min(caret + kAfter, code.size());
    if (is_plain && code.size() > width && caret + kDots >= width && begin + kDots < width) {
        const std::size_t cut =
            std::min(std::min(last + kDots, code.size()) - width + kDots, caret - begin);
        code = std::string(begin, ' ') + "..." + code.substr(begin + cut);
        marker = std::string(caret - cut + kDots, ' ') + marker.substr(caret);
    }
    return {cut_to_width(code, width), cut_to_width(marker, width)};
}

Lines message_lines(std::string_view text, std::size_t indent, std::size_t width) {
    Lines result;
    const Lines lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty() || lines[i].front() != ' ') {
            append(result, lines[i].empty() ? Lines{""} : prose_lines(lines[i], indent, width));
            continue;
        }
        const std::string line = std::string(indent, ' ') + lines[i];
        const auto column = text_column(line);
        const bool is_marked = i + 1 < lines.size() && is_marker(lines[i + 1]);
        if (display_width(line) > width && column && *column < width / 2 && !is_marked)
            append(result, hanging_lines(line, *column, width));
        else if (is_marked)
            append(result, marked_lines(line, std::string(indent, ' ') + lines[++i], width));
        else
            result.push_back(cut_to_width(line, width));
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
