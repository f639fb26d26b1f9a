#include "author/mistake_from.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "base/source_text.h"

namespace lab {
namespace {

using Tokens = std::vector<SourceToken>;

/// Items [a_begin, a_end) of one sequence become [b_begin, b_end) of another.
struct Change {
    std::size_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
};

/// The changes that leave a longest common subsequence.
template <class IsSame>
std::vector<Change> changes_between(std::size_t a_size, std::size_t b_size, IsSame is_same) {
    std::size_t begin = 0;
    while (begin < std::min(a_size, b_size) && is_same(begin, begin)) ++begin;
    while (a_size > begin && b_size > begin && is_same(a_size - 1, b_size - 1)) --a_size, --b_size;
    // length[i][j]: of what a from i on and b from j on have in common.
    const std::size_t rows = a_size - begin + 1, columns = b_size - begin + 1;
    std::vector<std::uint32_t> length(rows * columns);
    for (std::size_t i = rows - 1; i-- > 0;)
        for (std::size_t j = columns - 1; j-- > 0;)
            length[i * columns + j] =
                is_same(begin + i, begin + j)
                    ? length[(i + 1) * columns + j + 1] + 1
                    : std::max(length[(i + 1) * columns + j], length[i * columns + j + 1]);
    std::vector<Change> changes;
    const auto change_at = [&](std::size_t i, std::size_t j) -> Change& {
        if (changes.empty() || changes.back().a_end != begin + i ||
            changes.back().b_end != begin + j)
            changes.push_back({begin + i, begin + i, begin + j, begin + j});
        return changes.back();
    };
    std::size_t i = 0, j = 0;
    while (i + 1 < rows || j + 1 < columns) {
        if (i + 1 < rows && j + 1 < columns && is_same(begin + i, begin + j)) {
            ++i, ++j;
        } else if (j + 1 == columns ||
                   (i + 1 < rows && length[(i + 1) * columns + j] >= length[i * columns + j + 1])) {
            change_at(i++, j).a_end++;
        } else {
            change_at(i, j++).b_end++;
        }
    }
    return changes;
}

bool begins_line(const Tokens& tokens, std::size_t i) {
    return i == 0 || i >= tokens.size() || tokens[i].line != tokens[i - 1].line;
}

/// Of the places at which the same tokens can go or come, the one at which whole lines do, after
/// `before`, the change before.
void slide_to_line(Change& change, const Change& before, const Tokens& a, const Tokens& b) {
    const bool goes = change.b_begin == change.b_end;
    if (!goes && change.a_begin != change.a_end) return;
    const Tokens& tokens = goes ? a : b;
    Change moved = change;
    std::size_t& begin = goes ? moved.a_begin : moved.b_begin;
    std::size_t& end = goes ? moved.a_end : moved.b_end;
    while (!begins_line(tokens, begin) && moved.a_begin > before.a_end &&
           moved.b_begin > before.b_end && tokens[begin - 1].text == tokens[end - 1].text) {
        --moved.a_begin, --moved.a_end, --moved.b_begin, --moved.b_end;
    }
    if (begins_line(tokens, begin) && begins_line(tokens, end)) change = moved;
}

/// Whole lines of the base, [first, last), and what they become.
struct LineChange {
    std::size_t first = 0, last = 0;  ///< counted from 0
    std::size_t b_begin = 0, b_end = 0;
};

class EditFinder {
public:
    EditFinder(const std::string& base, std::string_view program)
        : lines_(source_lines(base)),
          program_(program),
          a_(source_tokens(base)),
          b_(source_tokens(program)) {}

    std::vector<Edit> find() const {
        std::vector<Edit> edits;
        std::size_t end = 0;  // of the edit before, as a line
        for (LineChange change : line_changes()) {
            std::vector<EditLine> lines = edit_lines(change);
            const bool is_near = !edits.empty() && change.first - end <= kNear &&
                                 fit_together(edits.back().lines, lines);
            if (!is_near) edits.emplace_back();
            auto& all = edits.back().lines;
            if (is_near)
                for (std::size_t i = end; i < change.first; ++i) all.push_back({' ', lines_[i]});
            if (!is_near) edits.back().line = static_cast<int>(change.first);
            all.insert(all.end(), lines.begin(), lines.end());
            end = change.last;
        }
        for (Edit& edit : edits) add_context(edit);
        return edits;
    }

private:
    /// Edits with at most this many lines between them read better as one.
    static constexpr std::size_t kNear = 2;

    static std::size_t count(const std::vector<EditLine>& lines, char sign) {
        return static_cast<std::size_t>(std::ranges::count(lines, sign, &EditLine::sign));
    }

    static bool fit_together(const std::vector<EditLine>& one, const std::vector<EditLine>& two) {
        return count(one, '-') + count(two, '-') <= kMostLinesOfEdit &&
               count(one, '+') + count(two, '+') <= kMostLinesOfEdit;
    }

    std::size_t line_of(std::size_t token) const {
        return static_cast<std::size_t>(a_[token].line - 1);
    }

    /// Changes of tokens; those that share a line of the base are one.
    std::vector<Change> token_changes() const {
        std::vector<Change> result;
        Change before;
        for (Change change : changes_between(
                 a_.size(), b_.size(),
                 [&](std::size_t i, std::size_t j) { return a_[i].text == b_[j].text; })) {
            slide_to_line(change, before, a_, b_);
            before = change;
            if (!result.empty() && share_line(result.back(), change)) {
                result.back().a_end = change.a_end;
                result.back().b_end = change.b_end;
            } else {
                result.push_back(change);
            }
        }
        return result;
    }

    bool share_line(const Change& one, const Change& next) const {
        // What is put in before a line's first token belongs to that line.
        const bool only_adds = one.a_begin == one.a_end;
        for (std::size_t i = one.a_end + (only_adds ? 1 : 0); i <= next.a_begin; ++i)
            if (begins_line(a_, i)) return false;
        return true;
    }

    /// Changes of tokens, widened to whole lines of the base.
    std::vector<LineChange> line_changes() const {
        std::vector<LineChange> result;
        for (const Change& change : token_changes()) {
            const LineChange lines = widened(change);
            // Two that touch are one.
            if (!result.empty() && lines.first <= result.back().last) {
                result.back().last = std::max(result.back().last, lines.last);
                result.back().b_end = std::max(result.back().b_end, lines.b_end);
            } else {
                result.push_back(lines);
            }
        }
        return result;
    }

    LineChange widened(const Change& change) const {
        std::size_t a_begin = change.a_begin, a_end = change.a_end;
        std::size_t b_begin = change.b_begin, b_end = change.b_end;
        if (a_begin == a_end) {
            const bool between = begins_line(a_, a_begin);
            if (between && begins_line(b_, b_begin) && begins_line(b_, b_end)) {
                const std::size_t at = a_begin > 0 ? line_of(a_begin - 1) + 1 : line_of(0);
                return {at, at, b_begin, b_end};
            }
            // It joins the line before it or the line after it.
            const bool joins_before = !between || !begins_line(b_, b_begin);
            const bool joins_after = !between || !begins_line(b_, b_end);
            if (joins_before) --a_begin, --b_begin;
            if (joins_after) ++a_end, ++b_end;
        }
        while (!begins_line(a_, a_begin)) --a_begin, --b_begin;
        while (!begins_line(a_, a_end)) ++a_end, ++b_end;
        return {line_of(a_begin), line_of(a_end - 1) + 1, b_begin, b_end};
    }

    /// The program's lines that take the place of the base's.
    std::vector<std::string> new_lines(const LineChange& change) const {
        if (change.b_begin == change.b_end) return {};
        std::size_t begin = b_[change.b_begin].begin, end = b_[change.b_end - 1].end();
        std::string indent;
        if (begins_line(b_, change.b_begin)) {
            const auto newline = program_.rfind('\n', begin);
            begin = newline == std::string_view::npos ? 0 : newline + 1;
        } else if (change.first < lines_.size()) {
            const std::string& line = lines_[change.first];
            indent = line.substr(0, std::min(line.find_first_not_of(' '), line.size()));
        }
        if (begins_line(b_, change.b_end))
            end = std::min(program_.find('\n', end), program_.size());
        return source_lines(indent + std::string(program_.substr(begin, end - begin)));
    }

    /// Lines at the change's end that stay as they are leave it.
    std::vector<EditLine> edit_lines(LineChange& change) const {
        const std::vector<std::string> put = new_lines(change);
        std::vector<EditLine> lines;
        std::size_t kept = 0;
        const auto keep_until = [&](std::size_t end) {
            for (; kept < end; ++kept) lines.push_back({' ', lines_[change.first + kept]});
        };
        for (const Change& part : changes_between(change.last - change.first, put.size(),
                                                  [&](std::size_t i, std::size_t j) {
                                                      return lines_[change.first + i] == put[j];
                                                  })) {
            keep_until(part.a_begin);
            for (; kept < part.a_end; ++kept) lines.push_back({'-', lines_[change.first + kept]});
            for (std::size_t i = part.b_begin; i < part.b_end; ++i) lines.push_back({'+', put[i]});
        }
        change.last = change.first + kept;
        return lines;
    }

    std::size_t places(std::size_t first, std::size_t last) const {
        std::size_t count = 0;
        const std::size_t size = last - first;
        for (std::size_t at = 0; at + size <= lines_.size(); ++at)
            count += std::equal(lines_.begin() + static_cast<std::ptrdiff_t>(first),
                                lines_.begin() + static_cast<std::ptrdiff_t>(last),
                                lines_.begin() + static_cast<std::ptrdiff_t>(at))
                         ? 1u
                         : 0u;
        return count;
    }

    /// Adds the fewest lines around an edit that say which place is meant.
    void add_context(Edit& edit) const {
        const auto first = static_cast<std::size_t>(edit.line);
        const std::size_t last = first + edit.lines.size() - count(edit.lines, '+');
        for (std::size_t more = 0;; ++more) {
            for (std::size_t below = 0; below <= more; ++below) {
                const std::size_t above = more - below;
                if (above > first || last + below > lines_.size()) continue;
                const std::size_t from = first - above, to = last + below;
                if (from == to || places(from, to) != 1) continue;
                std::vector<EditLine> lines;
                for (std::size_t i = from; i < first; ++i) lines.push_back({' ', lines_[i]});
                lines.insert(lines.end(), edit.lines.begin(), edit.lines.end());
                for (std::size_t i = last; i < to; ++i) lines.push_back({' ', lines_[i]});
                edit.lines = std::move(lines);
                return;
            }
        }
    }

    std::vector<std::string> lines_;
    std::string_view program_;
    Tokens a_, b_;
};

std::size_t lines_with(const Edit& edit, char sign) {
    return static_cast<std::size_t>(std::ranges::count(edit.lines, sign, &EditLine::sign));
}

std::string toml_quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

/// `"TEST" = "WORDS", ...` of one device.
std::string tests_and_words(const std::vector<Expectation>& all, DeviceKind device,
                            bool with_sanitizer) {
    std::string text;
    for (const Expectation& expected : all) {
        if (expected.never || expected.device != device || expected.test.empty() ||
            expected.needs_sanitizer != with_sanitizer)
            continue;
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", toml_quoted(expected.test),
                            toml_quoted(expected.words));
    }
    return text;
}

/// "nothing" or "needs sanitizer", when that is all that is said of a device.
std::string word_for(const std::vector<Expectation>& all, DeviceKind device) {
    for (const Expectation& expected : all) {
        if (expected.never || expected.device != device || !expected.test.empty()) continue;
        return expected.shows_nothing ? "nothing" : "needs sanitizer";
    }
    return "";
}

std::string says_text(const std::vector<Expectation>& all) {
    std::string text;
    const std::string vgpu = tests_and_words(all, DeviceKind::vgpu, false);
    const std::string gpu = tests_and_words(all, DeviceKind::gpu, false);
    if (!vgpu.empty() && vgpu == gpu) {
        text = fmt::format("both = {{{}}}\n", vgpu);
    } else {
        for (const DeviceKind device : {DeviceKind::vgpu, DeviceKind::gpu}) {
            const std::string& tests = device == DeviceKind::gpu ? gpu : vgpu;
            if (!tests.empty()) text += fmt::format("{} = {{{}}}\n", to_string(device), tests);
        }
    }
    for (const DeviceKind device : {DeviceKind::vgpu, DeviceKind::gpu})
        if (const std::string word = word_for(all, device); !word.empty())
            text += fmt::format("{} = \"{}\"\n", to_string(device), word);
    if (const std::string tests = tests_and_words(all, DeviceKind::gpu, true); !tests.empty())
        text += fmt::format("gpu_with_sanitizer = {{{}}}\n", tests);
    std::string never;
    for (const Expectation& expected : all)
        if (expected.never) never += (never.empty() ? "" : ", ") + toml_quoted(expected.words);
    if (!never.empty()) text += fmt::format("never = [{}]\n", never);
    return text;
}

/// `why = ...`, over several lines where one would be long.
std::string why_text(const std::string& why) {
    constexpr std::size_t kWidth = 100;
    const std::string line = "why = " + toml_quoted(why);
    if (line.size() <= kWidth) return line + "\n";
    std::string text = "why = \"\"\"";
    std::size_t column = text.size();
    const std::string escaped = toml_quoted(why).substr(1);
    for (std::size_t at = 0; at < escaped.size();) {
        const std::size_t end = std::min(escaped.find(' ', at), escaped.size());
        if (at > 0 && column + 1 + end - at > kWidth) {
            text += '\n';
            column = 0;
        } else if (at > 0) {
            text += ' ';
            ++column;
        }
        text += escaped.substr(at, end - at);
        column += end - at;
        at = end + 1;
    }
    return text + "\"\"\n";
}

}  // namespace

std::vector<Edit> edits_between(const std::string& base, std::string_view program) {
    return EditFinder(base, program).find();
}

std::size_t changed_lines(const std::vector<Edit>& edits) {
    std::size_t lines = 0;
    for (const Edit& edit : edits) lines += lines_with(edit, '-') + lines_with(edit, '+');
    return lines;
}

std::string too_large(const std::vector<Edit>& edits) {
    std::size_t most = 0;
    for (const Edit& edit : edits)
        most = std::max({most, lines_with(edit, '-'), lines_with(edit, '+')});
    if (edits.size() <= kMostEdits && most <= kMostLinesOfEdit) return "";
    return fmt::format("{} edits of up to {} lines; {} of {} is the most", edits.size(), most,
                       kMostEdits, kMostLinesOfEdit);
}

/// Not with a name of the program, as "n", "cudaMalloc" or "x[i]".
static bool begins_with_a_word(const std::string& text) {
    const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto end = std::ranges::find_if_not(text, is_small);
    const bool is_alone = end == text.end() || *end == ' ' || *end == ',' || *end == ':';
    return is_alone && (end - text.begin() > 1 || text.starts_with("a "));
}

std::string why_of(std::string_view program) {
    constexpr std::string_view kWrong = "Wrong: ";
    std::string why;
    for (const std::string& line : source_lines(program)) {
        if (!line.starts_with("//")) break;
        if (line.starts_with("// expect ") || line.find_first_not_of("/ ") == std::string::npos)
            continue;
        why += (why.empty() ? "" : " ") + line.substr(line.find_first_not_of("/ "));
    }
    if (why.starts_with(kWrong)) why.erase(0, kWrong.size());
    if (begins_with_a_word(why)) why[0] = static_cast<char>(std::toupper(why[0]));
    return why;
}

std::string entry_text(const Mistake& mistake) {
    std::string text = fmt::format("[{}]\n", mistake.name) + why_text(mistake.why);
    if (!mistake.base.empty()) text += fmt::format("base = \"{}\"\n", mistake.base);
    text += "diff = '''\n";
    for (const Edit& edit : mistake.edits) {
        if (&edit != &mistake.edits.front()) text += "@@\n";
        for (const EditLine& line : edit.lines)
            text += line.text.empty() && line.sign == ' ' ? "\n" : line.sign + line.text + "\n";
    }
    return text + "'''\n" + says_text(mistake.expectations);
}

}  // namespace lab
