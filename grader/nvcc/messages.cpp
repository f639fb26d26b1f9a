#include "nvcc/messages.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>

namespace lab {
namespace {

constexpr std::size_t kLongestLine = 300;
constexpr std::size_t kMostMessages = 20000, kMostRemarks = 20;

NvccMessage::Severity severity_of(const std::string& word) {
    if (word.ends_with("error")) return NvccMessage::Severity::error;
    return word == "warning" ? NvccMessage::Severity::warning : NvccMessage::Severity::note;
}

/// A message's first line; nothing for any other line.
std::optional<NvccMessage> parse_head(const std::string& line) {
    // Regular expressions are slow, and most lines are not messages.
    if (line.find("error") == std::string::npos && line.find("warning") == std::string::npos &&
        line.find("note") == std::string::npos)
        return std::nullopt;
    static const std::regex nvidia(
        R"(^([^"]+)\((\d{1,7})\): (catastrophic error|error|warning|note)(?: #[\w-]+)?: (.*)$)");
    static const std::regex gnu(
        R"(^([^" ][^"]*?):(\d{1,7})(?::\d+)?: (fatal error|error|warning|note): (.*)$)");
    static const std::regex at_end(R"(^()()At end of source: (error): (.*)$)");
    std::smatch match;
    if (!std::regex_match(line, match, nvidia) && !std::regex_match(line, match, gnu) &&
        !std::regex_match(line, match, at_end))
        return std::nullopt;
    NvccMessage message;
    message.severity = severity_of(match[3]);
    message.file = match[1];
    message.line = std::atoi(match[2].str().c_str());
    message.head = line;
    message.text = match[4];
    return message;
}

bool is_caret(const std::string& line) {
    return line.find('^') != std::string::npos &&
           line.find_first_not_of(" ^~|") == std::string::npos;
}

/// A line about the output itself, or that only leads to the next message.
bool is_empty_talk(const std::string& line) {
    return line.find(" detected in the compilation of ") != std::string::npos ||
           line.find(": In function ") != std::string::npos ||
           line.find(": At global scope:") != std::string::npos ||
           line == "compilation terminated." ||
           line.starts_with("Remark: The warnings can be suppressed");
}

}  // namespace

std::string cut_line(std::string_view line) {
    if (line.size() <= kLongestLine) return std::string(line);
    std::size_t end = kLongestLine;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return std::string(line.substr(0, end)) + "...";
}

std::vector<NvccMessage> parse_nvcc(std::string_view output) {
    std::vector<NvccMessage> messages;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        const std::string line = cut_line(output.substr(begin, end - begin));
        begin = end + 1;
        if (auto message = parse_head(line)) {
            if (messages.size() == kMostMessages) break;
            messages.push_back(std::move(*message));
            continue;
        }
        if (messages.empty() || line.empty() || is_empty_talk(line)) continue;
        NvccMessage& latest = messages.back();
        if (is_caret(line) && !latest.remarks.empty() && latest.code.empty()) {
            latest.code = latest.remarks.back();
            latest.caret = line;
            latest.remarks.pop_back();
        } else if (latest.remarks.size() < kMostRemarks) {
            latest.remarks.push_back(line);
        }
    }
    return messages;
}

}  // namespace lab
