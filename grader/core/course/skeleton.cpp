#include "core/course/skeleton.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/failure.h"
#include "base/files.h"
#include "core/course/release.h"

namespace lab {
namespace {

constexpr std::string_view kBegin = "// BEGIN SOLUTION", kEnd = "// END SOLUTION",
                           kInstead = "// SKELETON ";

/// Takes the first line off `text`, its newline included.
std::string_view take_line(std::string_view& text) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    text.remove_prefix(line.size());
    return line;
}

std::string_view without_newline(std::string_view line) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    return line;
}

}  // namespace

std::string cut_skeleton(std::string_view solution, const std::string& place) {
    std::string skeleton;
    int line_number = 0, begun_at = 0, markers = 0;
    const auto fail = [&](int line, const std::string& message) {
        throw own_fault(fmt::format("{}:{}: {}", place, line, message));
    };
    while (!solution.empty()) {
        const std::string_view line = take_line(solution);
        ++line_number;
        const auto indent = line.find_first_not_of(" \t");
        const std::string_view code =
            indent == std::string_view::npos ? "" : without_newline(line.substr(indent));
        if (code == kBegin) {
            if (begun_at != 0)
                fail(line_number, fmt::format("\"{}\" inside the one of line {}. Write \"{}\" "
                                              "before it.",
                                              kBegin, begun_at, kEnd));
            begun_at = line_number;
            ++markers;
        } else if (code == kEnd) {
            if (begun_at == 0)
                fail(line_number, fmt::format("\"{}\" without a \"{}\" before it.", kEnd, kBegin));
            begun_at = 0;
        } else if (code.starts_with(kInstead)) {
            if (begun_at == 0)
                fail(line_number, fmt::format("\"// SKELETON\" stands outside of \"{}\" ... "
                                              "\"{}\".",
                                              kBegin, kEnd));
            skeleton += line.substr(0, indent);
            skeleton += line.substr(indent + kInstead.size());
        } else if (begun_at == 0) {
            skeleton += line;
        }
    }
    if (begun_at != 0)
        fail(begun_at, fmt::format("\"{}\" without an \"{}\" after it.", kBegin, kEnd));
    if (markers == 0)
        fail(1, fmt::format("no \"{}\" in the whole file, so the skeleton would be the solution.",
                            kBegin));
    return skeleton;
}

std::string without_markers(std::string_view solution) {
    std::string text;
    while (!solution.empty()) {
        const std::string_view line = take_line(solution);
        const auto indent = std::min(line.find_first_not_of(" \t"), line.size());
        const std::string_view code = without_newline(line.substr(indent));
        if (code != kBegin && code != kEnd && !code.starts_with(kInstead)) text += line;
    }
    return text;
}

std::vector<LineRange> solution_parts(std::string_view solution) {
    std::vector<LineRange> parts;
    for (int number = 1, begin = 0; !solution.empty(); ++number) {
        const std::string_view line = take_line(solution);
        const auto indent = std::min(line.find_first_not_of(" \t"), line.size());
        const std::string_view code = without_newline(line.substr(indent));
        if (code == kBegin) begin = number + 1;
        if (code == kEnd) parts.push_back({begin, number - 1});
    }
    return parts;
}

std::string skeleton_of(const Project& project, const Lab& lab) {
    if (const auto skeleton = read_file_if_there(prebuilt_skeleton(project.root, lab)))
        return *skeleton;
    return cut_skeleton(read_file(project.root / lab.solution()), lab.solution().string());
}

std::optional<Difference> first_difference(std::string_view expected, std::string_view got) {
    const auto next = [](std::string_view& text) -> std::optional<std::string> {
        if (text.empty()) return std::nullopt;
        return std::string(take_line(text));
    };
    for (int line = 1; !expected.empty() || !got.empty(); ++line) {
        auto a = next(expected), b = next(got);
        if (a == b) continue;
        // A newline that only one has is kept: it is the difference.
        if (a && b && without_newline(*a) != without_newline(*b)) {
            a = std::string(without_newline(*a));
            b = std::string(without_newline(*b));
        }
        return Difference{line, a, b};
    }
    return std::nullopt;
}

}  // namespace lab
