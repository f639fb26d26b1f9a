#include "report/values_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/wrong_members.h"

namespace lab {
namespace {

using State = ValuesWindow::State;

constexpr std::size_t kGap = 3;
/// A longer value has a type with several parts.
constexpr std::size_t kWidestValue = 30;

struct Column {
    std::string index, expected, got, mark;

    Column(const ValuesWindow::Element& element, std::size_t widest)
        : index(std::to_string(element.index)),
          expected(cut_to_width(visible_word(element.expected), widest)),
          got(cut_to_width(visible_word(element.got), widest)) {
        if (element.state == State::never_written) got = "-";
        if (element.state == State::uninitialized) got = "?";
        if (element.state != State::right)
            mark = std::string(std::max<std::size_t>(width(), 1), '^');
    }
    std::size_t width() const {
        return std::max({index.size(), display_width(expected), display_width(got)});
    }
};

std::string right_aligned(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, display_width(text)), ' ') + text;
}

}  // namespace

std::string wrong_elements(const ValuesWindow& values) {
    const std::string tolerance =
        values.tolerance.empty() ? "" : ", by more than " + visible_word(values.tolerance);
    if (values.elements == 1)
        return fmt::format("{} is wrong{}", visible_word(values.name), tolerance);
    return fmt::format("{} of {} elements of {} {} wrong{}", values.wrong, values.elements,
                       visible_word(values.name), values.wrong == 1 ? "is" : "are", tolerance);
}

Lines values_text(const ValuesWindow& whole, const TextStyle& style) {
    constexpr std::size_t kTitle = 8;  // "expected"
    const std::size_t margins = kIndent + kTitle + kGap;
    const std::size_t widest = std::min(kWidestValue, style.width - std::min(style.width, margins));
    const ValuesWindow values = with_wrong_members(whole, widest);
    std::vector<Column> columns;
    for (const ValuesWindow::Element& element : values.around)
        columns.emplace_back(element, widest);
    const auto first = static_cast<std::size_t>(
        std::ranges::find(values.around, values.first_wrong, &ValuesWindow::Element::index) -
        values.around.begin());
    if (first == columns.size()) return {};
    // Grows from the first wrong element, to both sides in turn, while the line has room.
    std::size_t begin = first, end = first + 1, used = margins + columns[first].width();
    for (bool grows = true; grows;) {
        grows = false;
        for (const bool to_left : {true, false}) {
            if (to_left ? begin == 0 : end == columns.size()) continue;
            const std::size_t more = kGap + columns[to_left ? begin - 1 : end].width();
            if (used + more > style.width) continue;
            used += more;
            if (to_left)
                --begin;
            else
                ++end;
            grows = true;
        }
    }
    std::string index, expected, got, marks;
    bool has_untouched = false, has_fresh = false;
    for (std::size_t i = begin; i < end; ++i) {
        const Column& column = columns[i];
        const std::size_t width = kGap + column.width();
        index += right_aligned(column.index, width);
        expected += right_aligned(column.expected, width);
        got += right_aligned(column.got, width);
        marks += right_aligned(column.mark, width);
        has_untouched = has_untouched || values.around[i].state == State::never_written;
        has_fresh = has_fresh || values.around[i].state == State::uninitialized;
    }
    const std::string margin(kIndent, ' ');
    Lines lines;
    if (values.elements > 1) lines.push_back(margin + "index   " + index);
    lines.push_back(margin + "expected" + expected);
    lines.push_back(margin + "got     " + got);
    if (values.elements > 1)
        lines.push_back(margin + "        " + marks.substr(0, marks.find_last_not_of(' ') + 1));
    if (has_untouched) lines.push_back(margin + "-: never written");
    if (has_fresh) lines.push_back(margin + "?: device memory that nothing has written");
    for (std::string& line : lines) line = cut_to_width(line, style.width);
    return lines;
}

}  // namespace lab
