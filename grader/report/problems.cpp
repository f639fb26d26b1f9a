#include "report/problems.h"

#include <fmt/format.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "base/visible.h"

namespace lab {
namespace {

/// Text on one line: line breaks and blanks next to them become one blank.
std::string on_one_line(const std::string& text) {
    std::istringstream words(visible(text));
    std::string line;
    for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
}

/// nvcc writes "x.cu(12): error: ...", gcc "x.cu:12:5: error: ...".
std::string compiler_problems(const std::string& messages) {
    static const std::regex pattern(
        R"(^(\S[^()]*?)(?:\((\d+)\)|:(\d+)(?::(\d+))?): (?:fatal )?(error|warning)(?: #[\w-]+)?: (.*)$)");
    std::string problems;
    std::istringstream lines(messages);
    for (std::string line; std::getline(lines, line);) {
        std::smatch parts;
        if (line.size() > 2000 || !std::regex_match(line, parts, pattern)) continue;
        const std::string number = parts[2].matched ? parts[2] : parts[3];
        const std::string column = parts[4].matched ? parts[4].str() : "1";
        problems += fmt::format("{}:{}:{}: {}: {}\n", parts[1].str(), number, column,
                                parts[5].str(), on_one_line(parts[6]));
    }
    return problems;
}

std::string problem(const Grading& grading, const TestResult& test, int line) {
    // Results name the file; editors need its path.
    const std::string& shown = grading.submission.shown;
    std::string file = test.place ? test.place->file : shown;
    if (fs::path(file).filename() == fs::path(shown).filename()) file = shown;
    const std::string& what = test.diagnosis.empty() ? test.message : test.diagnosis;
    return fmt::format("{}:{}:1: error: {} [{}]\n", file, line, on_one_line(what), test.name);
}

}  // namespace

std::string problem_lines(const Grading& grading) {
    std::string problems = compiler_problems(grading.build_message);
    const TestResult* without_place = nullptr;
    bool has_place = false;
    for (const TestResult& test : grading.checked.tests) {
        if (test.verdict != Verdict::fail) continue;
        if (test.place) {
            problems += problem(grading, test, test.place->line);
            has_place = true;
        } else if (without_place == nullptr) {
            without_place = &test;
        }
    }
    if (!has_place && without_place != nullptr) problems += problem(grading, *without_place, 1);
    return problems;
}

}  // namespace lab
