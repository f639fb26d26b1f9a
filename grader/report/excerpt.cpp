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

/// Lines of one file, numbered.
class Excerpt {
public:
    Excerpt(const std::vector<MarkedPlace>& places, std::string_view source, std::size_t width)
        : source_(split_lines(visible(source))), width_(width) {
        dedent_ = std::string::npos;
        for (const MarkedPlace& place : places) {
            number_width_ = std::max(number_width_, std::to_string(place.place.line).size());
            if (const std::string* line = line_at(place.place.line))
                dedent_ = std::min(dedent_, leading_blanks(*line));
        }
        // A little indentation stays: it shows that the code is inside a function.
        dedent_ -= std::min<std::size_t>(dedent_, 4);
    }

    const std::string* line_at(int number) const {
        const bool is_there = number > 0 && static_cast<std::size_t>(number) <= source_.size();
        return is_there ? &source_[static_cast<std::size_t>(number) - 1] : nullptr;
    }

    std::string code(int number) const {
        return cut_to_width(gutter(std::to_string(number)) + line_at(number)->substr(dedent_),
                            width_);
    }

    /// The caret and its label, which continues on further lines if it is long.
    Lines caret(const MarkedPlace& place) const {
        const std::string line = line_at(place.place.line)->substr(dedent_);
        const std::size_t at = find_word(line, place.name).value_or(leading_blanks(line));
        std::size_t column = display_width(line.substr(0, at));
        // The caret must lie in the shown part of the line, and leave room for words.
        const std::size_t room = width_ - std::min(width_, gutter("").size());
        if (column + room / 2 > room) column = leading_blanks(line);
        if (column + room / 2 > room) column = 0;
        const std::string before = gutter("") + std::string(column, ' ');
        Lines lines = prose_lines(visible_word(place.label), before.size() + 2, width_);
        if (lines.empty()) lines.emplace_back();
        lines.front() =
            before + "^ " + lines.front().substr(std::min(lines.front().size(), before.size() + 2));
        for (std::size_t i = 1; i < lines.size(); ++i)
            lines[i].replace(0, gutter("").size(), gutter(""));
        lines.front().erase(lines.front().find_last_not_of(' ') + 1);
        return lines;
    }

private:
    std::string gutter(const std::string& number) const {
        return fmt::format("{:{}}{:>{}} | ", "", 2 * kIndent, number, number_width_);
    }

    Lines source_;
    std::size_t width_, number_width_ = 0, dedent_ = 0;
};

}  // namespace

Lines source_excerpt(const std::vector<MarkedPlace>& places, const std::string& file,
                     std::string_view source, const TextStyle& style) {
    std::vector<MarkedPlace> shown, elsewhere;
    const Excerpt excerpt(places, source, style.width);
    for (const MarkedPlace& place : places) {
        const bool is_here = place.place.file == file && excerpt.line_at(place.place.line);
        (is_here ? shown : elsewhere).push_back(place);
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
