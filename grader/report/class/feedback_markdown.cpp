#include "report/class/feedback_markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/class/source_html.h"
#include "report/excerpt.h"
#include "report/markup/markdown.h"
#include "report/markup/number.h"
#include "report/values_text.h"

namespace lab {
namespace {

/// The beginning of a long message or output: a comment has a limit.
constexpr std::size_t kMostQuotedLines = 40;
constexpr std::size_t kWidestLine = 120;  // columns: our code has 100

std::string code_block(const Lines& lines) {
    Lines shown(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(
                                                   std::min(lines.size(), kMostQuotedLines)));
    if (shown.size() < lines.size())
        shown.push_back(fmt::format("... {} more lines", lines.size() - shown.size()));
    for (std::string& line : shown) line = cut_to_width(line, kWidestLine);
    return markdown_code(joined(shown));
}

std::string test_line(const Feedback& feedback, const std::string& word, const std::string& name,
                      double earned, double points) {
    const ManualMark* mark = feedback.mark(name);
    const bool by_hand = mark != nullptr && mark->points;
    return fmt::format("| {} | {} | {} / {}{} |\n", word == "FAIL" ? "**FAIL**" : word,
                       markdown_text(name), short_number(by_hand ? *mark->points : earned),
                       short_number(points), by_hand ? " (by hand)" : "");
}

std::string tests_text(const Feedback& feedback) {
    std::string rows;
    if (feedback.grading) {
        for (const TestResult& test : feedback.grading->checked.tests)
            rows += test_line(feedback, verdict_word(*feedback.grading, test), test.name,
                              test.earned, test.points);
    } else if (feedback.attempt != nullptr) {
        for (const TestSummary& test : feedback.attempt->tests)
            rows += test_line(feedback, test.verdict == Verdict::pass ? "ok" : "-", test.name,
                              test.earned, test.points);
    }
    return rows.empty() ? rows : "\n| | test | points |\n|---|---|--:|\n" + rows;
}

std::string speed_text(const TestResult& test) {
    const SpeedResult& speed = *test.speed;
    std::string text = fmt::format("{:.2f}x of the reference's speed", speed.ratio);
    if (speed.timed)
        text += fmt::format(" (95 % interval {:.2f}x to {:.2f}x)", speed.low, speed.high);
    text +=
        fmt::format("; at least {:.2f}x is required. {}\n", speed.threshold, judged_on_text(speed));
    if (speed.parts.empty()) return text;
    text += "\n| part | yours | reference | your count |\n|---|--:|--:|---|\n";
    for (const SpeedPart& part : speed.parts)
        text += fmt::format("| {}{} | {} | {} | {} |\n", markdown_text(part.name),
                            part.is_cause ? " **(the cause)**" : "",
                            microseconds_text(part.submission_us),
                            microseconds_text(part.reference_us), markdown_text(part.count));
    return text;
}

std::string where_text(const TestResult& test) {
    std::string text;
    if (!test.call.empty())
        text = "In " + markdown_text(test.call) + ".";
    else if (!test.of_case.empty())
        text = "With " + markdown_text(test.of_case) + ".";
    if (const std::size_t others = test.other_cases.size(); others > 0)
        text += " Also for " + markdown_text(test.other_cases.front()) +
                (others > 1 ? fmt::format(" and {} more.", others - 1) : ".");
    return text.empty() ? text : "\n" + text + "\n";
}

std::string failure_text(const TestFailure& failure, const Grading& grading) {
    const TestResult& test = *failure.test;
    TextStyle style;
    style.width = kWidestLine;
    const std::string headline = headline_of(test);
    std::string text = fmt::format("\n### FAIL: {}\n\n**Mistake:** {}\n", markdown_text(test.name),
                                   markdown_text(headline));
    const Lines excerpt =
        source_excerpt(places_of(test), grading.submission.shown, grading.submission.text, style);
    if (!excerpt.empty()) text += "\n" + code_block(excerpt);
    if (test.values) {
        text += "\n" + markdown_text(wrong_elements(*test.values)) + ":\n\n" +
                code_block(values_text(*test.values, style));
    }
    text += where_text(test);
    if (test.speed) text += "\n" + speed_text(test);
    const bool is_its_beginning =
        test.diagnosis.empty() && test.message.find(headline) != std::string::npos;
    if (is_its_beginning && !test.message.ends_with(headline))
        text += "\n" + code_block(split_lines(visible(test.message)));
    for (const TestResult* same : failure.same)
        text += "\nProbably the same mistake: " + markdown_text(same->name) + "\n";
    if (!test.output.empty())
        text += "\nYour program printed:\n\n" + code_block(split_lines(visible(test.output)));
    return text;
}

std::string marks_text(const Feedback& feedback) {
    std::string text;
    for (const ManualMark& mark : feedback.grade->marks) {
        if (feedback.mark(mark.test) != &mark) continue;
        text += "- ";
        if (!mark.test.empty()) text += "**" + markdown_text(mark.test) + ":** ";
        if (mark.points) text += short_number(*mark.points) + " points by your instructor. ";
        text += (mark.test.empty() && !mark.points ? "Comment: " : "") +
                markdown_text(mark.comment) + "\n";
    }
    return text.empty() ? text : "\n## From your instructor\n\n" + text;
}

}  // namespace

std::string feedback_markdown(const Feedback& feedback) {
    const LabGrade& grade = *feedback.grade;
    const std::string name = grade.student.name.empty() ? grade.student.id : grade.student.name;
    std::string text =
        fmt::format("# {}\n\nStudent: {}\n\n**Points: {}**\n", markdown_text(title_of(feedback)),
                    markdown_text(name), feedback.score());
    for (const std::string& remark : feedback.remarks())
        text += "\n> Note: " + markdown_text(remark) + "\n";
    text += tests_text(feedback) + marks_text(feedback);
    if (!feedback.grading) return text;
    const Grading& grading = *feedback.grading;
    if (!grading.build_message.empty())
        text += fmt::format(
            "\n## {}\n\n{}",
            grading.built ? "Warnings of the compiler (they cost no points)" : "It does not build",
            code_block(split_lines(visible(grading.build_message))));
    const auto failures = feedback.failures();
    if (!failures.empty()) text += "\n## Failures, the first one first\n";
    for (const TestFailure& failure : failures) text += failure_text(failure, grading);
    for (const TestResult& test : grading.checked.tests)
        if (test.speed && test.verdict != Verdict::fail)
            text += "\n## Speed: " + markdown_text(test.name) + "\n\n" + speed_text(test);
    return text;
}

}  // namespace lab
