#include "report/class/source_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/lines.h"

namespace lab {
namespace {

constexpr int kAround = 2, kMostLines = 3000;
constexpr std::size_t kWidest = 240;  // columns; a line of code has 100

/// By the numbers of their lines, the labels of the places in one file.
using Marks = std::map<int, std::vector<std::string>>;

Marks marks_in(const std::vector<MarkedPlace>& places, const std::string& file, int lines) {
    Marks marks;
    for (const MarkedPlace& place : places) {
        if (place.place.file != file || place.place.line < 1 || place.place.line > lines) continue;
        std::vector<std::string>& labels = marks[place.place.line];
        if (!place.label.empty() && std::ranges::find(labels, place.label) == labels.end())
            labels.push_back(place.label);
    }
    return marks;
}

Html rows_of_line(int number, std::string_view code, const Marks& marks) {
    const auto mark = marks.find(number);
    const Html cells = element("td", text_html(std::to_string(number))) +
                       element("td", text_html(cut_to_width(code, kWidest)));
    if (mark == marks.end()) return element("tr", cells);
    Html rows = element("tr class='hit'", cells);
    const std::string indent(std::min(code.find_first_not_of(' '), code.size()), ' ');
    for (const std::string& label : mark->second)
        rows += element(
            "tr class='note'",
            element("td", Html()) + element("td", text_html(indent + "^ " + visible_word(label))));
    return rows;
}

Html gap_row() {
    return element("tr class='gap'", element("td", Html("&#8943;")) + element("td", Html()));
}

Html framed(const Html& rows) {
    return element("div class='source'", element("table", rows));
}

Html elsewhere(const std::vector<MarkedPlace>& places, const std::string& file, int lines) {
    Html list;
    for (const MarkedPlace& place : places) {
        const bool is_here =
            place.place.file == file && place.place.line >= 1 && place.place.line <= lines;
        if (is_here) continue;
        list += element(
            "p class='soft'",
            text_html(fmt::format("{}:{}{}{}", visible_word(place.place.file), place.place.line,
                                  place.label.empty() ? "" : ": ", visible_word(place.label))));
    }
    return list;
}

}  // namespace

std::vector<MarkedPlace> places_of(const TestResult& test) {
    if (!test.places.empty() || !test.place) return test.places;
    return {{*test.place, "", ""}};
}

Html excerpt_html(const std::vector<MarkedPlace>& places, const std::string& file,
                  std::string_view source) {
    const Lines lines = split_lines(visible(source));
    const int count = static_cast<int>(lines.size());
    const Marks marks = marks_in(places, file, count);
    Html rows;
    int last = 0;  // the last line shown
    for (const auto& [number, labels] : marks) {
        const int begin = std::max(last + 1, number - kAround);
        if (last > 0 && begin > last + 1) rows += gap_row();
        const int end = std::min(count, number + kAround);
        for (int line = begin; line <= end; ++line)
            rows += rows_of_line(line, lines[static_cast<std::size_t>(line) - 1], marks);
        last = std::max(last, end);
    }
    return (marks.empty() ? Html() : framed(rows)) + elsewhere(places, file, count);
}

Html source_html(const std::vector<MarkedPlace>& places, const std::string& file,
                 std::string_view source) {
    const Lines lines = split_lines(visible(source));
    const int count = std::min(static_cast<int>(lines.size()), kMostLines);
    const Marks marks = marks_in(places, file, count);
    Html rows;
    for (int line = 1; line <= count; ++line)
        rows += rows_of_line(line, lines[static_cast<std::size_t>(line) - 1], marks);
    if (count < static_cast<int>(lines.size())) rows += gap_row();
    return framed(rows);
}

}  // namespace lab
