#include "check/call/sanitizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <regex>
#include <sstream>

namespace lab {
namespace {

constexpr std::string_view kMark = "=========";

// std::regex calls itself for each character, and overflows the stack at some 100,000; a submission
// may print lines like the tool's.
constexpr std::size_t kLongestLine = 4000;

/// Where an access was: "add(float *)+0x70 in add.cu:12", or as older versions wrote it,
/// "0x70 in add.cu:12:add(float *)"; without line information only the kernel.
struct Where {
    std::string kernel;
    Place place;
};

Where where_of(const std::string& text) {
    static const std::regex line(R"re((.*)\+0x[0-9a-f]+ in (.*):(\d+))re");
    static const std::regex old_line(R"re(0x[0-9a-f]+ in (.*?):(\d+):(.*))re");
    static const std::regex kernel_only(R"re((?:0x[0-9a-f]+ in )?(.*?)(?:\+0x[0-9a-f]+)?)re");
    std::smatch parts;
    if (std::regex_match(text, parts, line)) {
        return {parts[1], {parts[2], std::stoi(parts[3])}};
    }
    if (std::regex_match(text, parts, old_line)) {
        return {parts[3], {parts[1], std::stoi(parts[2])}};
    }
    if (std::regex_match(text, parts, kernel_only)) return {parts[1], {}};
    return {text, {}};
}

bool same_place(const Place& a, const Place& b) {
    return a.file == b.file && a.line == b.line;
}

class Reader {
public:
    void line(const std::string& text) {
        static const std::regex race(
            R"re(Error: (?:\([^)]*\) ?)?Race reported between (\w+) access at (.*))re");
        static const std::regex thread(R"re(by thread (\([^)]*\)) in block (\([^)]*\)).*)re");
        static const std::regex first(
            R"re((Invalid|Uninitialized|Barrier error|Misaligned|Out-of-range|Device-side).*)re");
        static const std::regex against(R"re(and (\w+) access at (.*?)(?: \[\d+ hazards?\])?)re");
        std::smatch parts;
        const bool indented = text.starts_with("    ") || text.starts_with("\t");
        const std::string words = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
        if (std::regex_match(words, parts, race)) {
            begin("race");
            now().access = parts[1];
            const Where where = where_of(parts[2]);
            now().kernel = where.kernel;
            now().place = where.place;
        } else if (!indented && std::regex_match(words, first)) {
            begin(words.ends_with('.') ? words.substr(0, words.size() - 1) : words);
        } else if (!indented || !reading_) {
            reading_ = false;
        } else if (std::regex_match(words, parts, against)) {
            if (!now().other.empty()) return;  // of several, one is enough
            now().other = parts[1];
            now().other_place = where_of(parts[2]).place;
        } else if (std::regex_match(words, parts, thread)) {
            now().thread = parts[1];
            now().block = parts[2];
        } else if (words.starts_with("at ") && now().kernel.empty()) {
            const Where where = where_of(words.substr(3));
            now().kernel = where.kernel;
            now().place = where.place;
        } else if (words.starts_with("Address ") || words.starts_with("Access ")) {
            now().more = words;
        }
    }

    std::vector<SanitizerFinding> take() {
        // compute-sanitizer reports each thread by itself: one of each kind and place is enough.
        std::vector<SanitizerFinding> different;
        for (SanitizerFinding& finding : findings_) {
            const bool known = std::ranges::any_of(different, [&](const SanitizerFinding& f) {
                return f.what == finding.what && f.kernel == finding.kernel &&
                       same_place(f.place, finding.place) &&
                       same_place(f.other_place, finding.other_place);
            });
            if (!known) different.push_back(std::move(finding));
        }
        return different;
    }

private:
    SanitizerFinding& now() { return findings_.back(); }
    void begin(std::string what) {
        findings_.emplace_back();
        now().what = std::move(what);
        reading_ = true;
    }

    std::vector<SanitizerFinding> findings_;
    bool reading_ = false;
};

std::string lower(std::string word) {
    std::ranges::transform(word, word.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

}  // namespace

std::vector<SanitizerFinding> parse_sanitizer(std::string_view printed) {
    Reader reader;
    std::istringstream lines{std::string(printed)};
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const std::size_t at = line.find(kMark);
        if (at == std::string::npos || line.size() > kLongestLine) continue;
        std::string text = line.substr(at + kMark.size());
        if (text.starts_with(' ')) text.erase(0, 1);
        reader.line(text);
    }
    return reader.take();
}

std::string describe(const SanitizerFinding& finding, const std::string& real_source,
                     const std::string& display_source) {
    const auto shown = [&](const Place& place) {
        if (place.line == 0) return std::string("an unknown line");
        const auto name = [](const std::string& file) {
            return std::filesystem::path(file).filename();
        };
        const bool own = !real_source.empty() && name(place.file) == name(real_source);
        return fmt::format("{}:{}", own ? display_source : place.file, place.line);
    };
    if (finding.what == "race") {
        const std::string other =
            finding.other.empty()
                ? "another access"
                : fmt::format("a {} at {}", lower(finding.other), shown(finding.other_place));
        return fmt::format(
            "{}: threads race for shared memory: a {} at {} and {}, by different threads, and no "
            "barrier between them.",
            finding.kernel, lower(finding.access), shown(finding.place), other);
    }
    std::string text =
        fmt::format("{}: {} at {}", finding.kernel, finding.what, shown(finding.place));
    if (!finding.thread.empty()) {
        text += fmt::format(", by thread {} of block {}", finding.thread, finding.block);
    }
    if (!finding.more.empty()) text += ". " + finding.more;
    return text + ".";
}

}  // namespace lab
