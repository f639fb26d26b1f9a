#include "report/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/utf8.h"
#include "base/visible.h"

namespace lab {
namespace {

bool is_word_character(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// The position of `name` in `line` as a whole word.
std::optional<std::size_t> find_word(std::string_view line, std::string_view name) {
    if (name.empty()) return std::nullopt;
    for (std::size_t at = 0; (at = line.find(name, at)) != std::string_view::npos; ++at) {
        const std::size_t end = at + name.size();
        const bool begins = at == 0 || !is_word_character(line[at - 1]);
        if (begins && (end == line.size() || !is_word_character(line[end]))) return at;
    }
    return std::nullopt;
}

std::size_t leading_blanks(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

/// Keeps the end of a path that is too long: it says most.
std::string shown_place(const std::string& file, int line, std::size_t width) {
    const std::string place = fmt::format("{}:{}", visible_word(file), line);
    const std::size_t all = display_width(place);
    if (all + kIndent <= width) return std::string(kIndent, ' ') + place;
    const auto slash = place.rfind('/');
    const std::string end = slash == std::string::npos ? place : "..." + place.substr(slash);
    return cut_to_width(std::string(kIndent, ' ') + end, width);
}

/// Whether a byte continues a UTF-8 character.
bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Lines of one file, numbered.
class Excerpt {
public:
    Excerpt(const std::vector<MarkedPlace>& places, const std::string& file,
            std::string_view source, std::size_t width)
        : places_(places), file_(file), source_(split_lines(visible(source))), width_(width) {
        dedent_ = std::string::npos;
        for (const MarkedPlace& place : places) {
            number_width_ = std::max(number_width_, std::to_string(place.place.line).size());
            if (const std::string* line = line_at(place.place.line))
                dedent_ = std::min(dedent_, leading_blanks(*line));
        }
        // A little indentation stays: it shows that the code is inside a function.
        dedent_ -= std::min<std::size_t>(dedent_, 4);
    }

    /// Whether the place is a line of this file.
    bool is_here(const MarkedPlace& place) const {
        return place.place.file == file_ && line_at(place.place.line) != nullptr;
    }

    const std::string* line_at(int number) const {
        const bool is_there = number > 0 && static_cast<std::size_t>(number) <= source_.size();
        return is_there ? &source_[static_cast<std::size_t>(number) - 1] : nullptr;
    }

    /// Line `number`; of a line that is too long, the part with the places marked on it.
    std::string code(int number) const {
        const std::size_t start = start_of(number);
        return cut_to_width(gutter(std::to_string(number)) + (start == 0 ? "" : "...") +
                                line_at(number)->substr(dedent_ + start),
                            width_);
    }

    /// The caret and its label, which continues on further lines if it is long. Where the caret
    /// leaves no room on its right, the label stands on its left.
    Lines caret(const MarkedPlace& place) const {
        const std::size_t start = start_of(place.place.line);
        const std::string line = line_at(place.place.line)->substr(dedent_ + start);
        // Of two places on the line, one may lie in the part that is not shown.
        const std::size_t at = std::max(column_of(place), start) - start;
        const std::size_t column = display_width(line.substr(0, at)) + (start == 0 ? 0 : 3);
        return column > 1 && column > room() / 2 ? label_before(column, place.label)
                                                 : label_behind(column, place.label);
    }

private:
    std::size_t room() const { return width_ - std::min(width_, gutter("").size()); }

    /// Where the place's name stands in its line, without what is common to all lines.
    std::size_t column_of(const MarkedPlace& place) const {
        const std::string line = line_at(place.place.line)->substr(dedent_);
        return find_word(line, place.name).value_or(leading_blanks(line));
    }

    /// The first byte of the line that is shown: 0, unless a caret would lie beyond its cut end.
    std::size_t start_of(int number) const {
        constexpr std::size_t kDots = 3;
        const std::string line = line_at(number)->substr(dedent_);
        if (display_width(line) <= room()) return 0;
        std::size_t last = 0;
        for (const MarkedPlace& place : places_)
            if (place.place.line == number && is_here(place))
                last = std::max(last, column_of(place) + place.name.size());
        if (display_width(line.substr(0, last)) + kDots <= room()) return 0;
        // The marked word is in the middle, or the line's end at the right.
        std::size_t start = last - std::min(last, room() / 2);
        while (start > 0 && display_width(line.substr(start - 1)) + kDots <= room()) --start;
        while (start < line.size() && is_continuation(line[start])) ++start;
        return start;
    }

    Lines label_behind(std::size_t column, const std::string& label) const {
        const std::string before = gutter("") + std::string(column, ' ');
        Lines lines = prose_lines(visible_word(label), before.size() + 2, width_);
        if (lines.empty()) lines.emplace_back();
        lines.front() =
            before + "^ " + lines.front().substr(std::min(lines.front().size(), before.size() + 2));
        for (std::size_t i = 1; i < lines.size(); ++i)
            lines[i].replace(0, gutter("").size(), gutter(""));
        lines.front().erase(lines.front().find_last_not_of(' ') + 1);
        return lines;
    }

    Lines label_before(std::size_t column, const std::string& label) const {
        Lines lines = prose_lines(visible_word(label), 0, column - 1);
        if (lines.empty()) lines.emplace_back();
        const std::size_t margin = column - 1 - display_width(lines.front());
        for (std::string& line : lines) line = gutter("") + std::string(margin, ' ') + line;
        lines.front() += " ^";
        return lines;
    }

    std::string gutter(const std::string& number) const {
        return fmt::format("{:{}}{:>{}} | ", "", 2 * kIndent, number, number_width_);
    }

    const std::vector<MarkedPlace>& places_;
    const std::string& file_;
    Lines source_;
    std::size_t width_, number_width_ = 0, dedent_ = 0;
};

}  // namespace

Lines source_excerpt(const std::vector<MarkedPlace>& places, const std::string& file,
                     std::string_view source, const TextStyle& style) {
    std::vector<MarkedPlace> shown, elsewhere;
    const Excerpt excerpt(places, file, source, style.width);
    for (const MarkedPlace& place : places) {
        (excerpt.is_here(place) ? shown : elsewhere).push_back(place);
    }
    std::ranges::stable_sort(shown, {}, [](const MarkedPlace& one) { return one.place.line; });
    Lines lines;
    if (!shown.empty()) lines.push_back(shown_place(file, shown.front().place.line, style.width));
    int last = 0;
    for (const MarkedPlace& place : shown) {
        if (place.place.line != last) lines.push_back(excerpt.code(place.place.line));
        last = place.place.line;
        if (!place.label.empty() || !place.name.empty()) append(lines, excerpt.caret(place));
    }
    for (const MarkedPlace& place : elsewhere) {
        lines.push_back(shown_place(place.place.file, place.place.line, style.width));
        append(lines, prose_lines(visible_word(place.label), 2 * kIndent, style.width));
    }
    return lines;
}

}  // namespace lab
