#include "nvcc/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/source_text.h"
#include "nvcc/explanations.h"
#include "nvcc/messages.h"

namespace lab {
namespace {

using Severity = NvccMessage::Severity;

constexpr std::size_t kMostShownRemarks = 4, kMostShownNotes = 2, kMostWarnings = 10;
constexpr std::size_t kMostShownLines = 60;  ///< of unknown output

std::string without_blanks(std::string_view text) {
    std::string dense;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0) dense += c;
    return dense;
}

/// The quoted line and its caret. nvcc quotes lines after the preprocessor: with a macro, that is
/// not the student's own text, and the caret points elsewhere.
std::string quotation(const NvccMessage& message, std::string_view source, bool is_submission) {
    const std::string written =
        is_submission ? cut_line(line_at(source, message.line)) : std::string();
    const bool is_gnu = message.code.find(" | ") != std::string::npos;
    const bool is_as_written =
        written.empty() || is_gnu || without_blanks(written) == without_blanks(message.code);
    if (!is_as_written) return "  " + written + "\n";
    if (message.code.empty()) return "";
    return message.code + "\n" + message.caret + "\n";
}

/// Whether a note says more than that a candidate did not match.
bool is_worth_showing(const NvccMessage& note, const std::string& shown) {
    return note.file == shown && note.text.find("does not match") == std::string::npos &&
           note.text.find("candidate") == std::string::npos;
}

/// The message at `at` as shown to students, with the notes that follow it.
std::string shown_message(const std::vector<NvccMessage>& all, std::size_t at,
                          std::string_view source, const std::string& shown) {
    const NvccMessage& message = all[at];
    std::string text = message.head + "\n";
    std::size_t remarks = 0;
    for (const std::string& remark : message.remarks) {
        // Declarations in the toolkit of all versions of an overloaded function.
        if (remark.find("(declared at line ") != std::string::npos) continue;
        if (remarks++ < kMostShownRemarks) text += remark + "\n";
    }
    const bool is_submission = message.file == shown;
    text += quotation(message, source, is_submission);
    std::size_t notes = 0;
    for (std::size_t i = at + 1; i < all.size() && all[i].severity == Severity::note; ++i) {
        if (!is_worth_showing(all[i], shown) || notes++ == kMostShownNotes) continue;
        text += all[i].head + "\n" + quotation(all[i], source, true);
    }
    const std::string why = nvcc_explanation(all, at, is_submission ? source : "");
    if (!why.empty()) text += "    " + why + "\n";
    return text;
}

/// "2 more errors follow, on lines 4 and 7."
std::string count_of_others(const std::vector<NvccMessage>& all, std::size_t first) {
    constexpr std::size_t kMostLines = 5;
    std::size_t count = 0;
    std::set<int> lines;
    for (std::size_t i = first + 1; i < all.size(); ++i) {
        if (all[i].severity != Severity::error) continue;
        ++count;
        if (all[i].line != 0) lines.insert(all[i].line);
    }
    if (count == 0) return "";
    std::string where;
    if (!lines.empty() && lines.size() <= kMostLines) {
        where = lines.size() == 1 ? ", on line " : ", on lines ";
        const std::vector<int> list(lines.begin(), lines.end());
        where += fmt::format("{}", fmt::join(list.begin(), list.end() - 1, ", "));
        if (list.size() > 1) where += " and ";
        where += std::to_string(list.back());
    }
    return fmt::format("{} more error{}{}.\n", count, count == 1 ? " follows" : "s follow", where);
}

/// Each warning once: nvcc compiles a file twice, for the device and for the host.
std::string shown_warnings(const std::vector<NvccMessage>& all, std::string_view source,
                           const std::string& shown) {
    std::string text;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].severity != Severity::warning) continue;
        const std::string key = all[i].head + "\n" + all[i].code + "\n" + all[i].caret;
        if (!seen.insert(key).second || seen.size() > kMostWarnings) continue;
        text += shown_message(all, i, source, shown);
    }
    if (seen.size() > kMostWarnings)
        text += fmt::format("{} more warnings.\n", seen.size() - kMostWarnings);
    return text;
}

/// Output of programs that name no place: ptxas, nvlink.
std::string cut_output(std::string_view output) {
    std::string text;
    for (std::size_t begin = 0, lines = 0; begin < output.size() && lines < kMostShownLines;
         ++lines) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        text += cut_line(output.substr(begin, end - begin)) + "\n";
        begin = end + 1;
    }
    return text;
}

}  // namespace

std::string explain_nvcc(std::string_view output, std::string_view source,
                         const std::string& shown) {
    const std::vector<NvccMessage> all = parse_nvcc(output);
    const auto is_error = [](const NvccMessage& m) { return m.severity == Severity::error; };
    const auto first = std::ranges::find_if(all, is_error);
    if (first != all.end()) {
        const auto at = static_cast<std::size_t>(first - all.begin());
        return shown_message(all, at, source, shown) + count_of_others(all, at);
    }
    const std::string warnings = shown_warnings(all, source, shown);
    return warnings.empty() ? cut_output(output) : warnings;
}

}  // namespace lab
