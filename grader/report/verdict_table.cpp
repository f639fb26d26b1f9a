#include "report/verdict_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "base/visible.h"

namespace lab {
namespace {

constexpr std::size_t kColumnGap = 2, kVerdictWidth = 5, kLeastName = 5;

struct Row {
    const char* verdict = "";
    Colour colour = Colour::plain;
    std::string name, note;
    double earned = 0, most = 0;  ///< points
};

std::string points_text(const Row& row) {
    return fmt::format("{:g} / {:g}", row.earned, row.most);
}

Row row_of(const Grading& grading, const TestResult& test) {
    Row row;
    row.name = visible_word(test.name);
    row.earned = test.earned;
    row.most = test.points;
    const bool is_todo = !is_begun(grading.tasks, test);
    switch (test.verdict) {
        case Verdict::pass:
            row.verdict = "ok";
            row.colour = Colour::good;
            break;
        case Verdict::inconclusive:
            row.verdict = "ok?";
            row.colour = Colour::notice;
            row.note = "inconclusive";
            return row;
        case Verdict::fail:
        case Verdict::not_run: {
            const bool has_failed = test.verdict == Verdict::fail;
            row.verdict = is_todo ? "to do" : has_failed ? "FAIL" : "-";
            row.colour = !is_todo && has_failed ? Colour::bad : Colour::dim;
            if (is_todo)
                row.note = fmt::format("task {}", test.task);
            else if (!has_failed)
                row.note = "not run";
            break;
        }
    }
    const TestResult* first = first_failure(grading.checked.tests, grading.tasks);
    if (first != nullptr && first != &test && !is_todo && has_same_cause(*first, test))
        row.note = "same cause?";
    // A test that fails for another reason than its speed shows no ratio.
    const bool is_about_speed =
        test.speed && (test.verdict == Verdict::pass || test.speed->ratio < test.speed->threshold);
    if (is_about_speed && row.note.empty())
        row.note = fmt::format("{:.2f}x", test.speed->ratio) +
                   (test.speed->timed ? "" : " by " + test.speed->judged_on);
    return row;
}

/// The rows as columns of one width.
Lines lines_of(const std::vector<Row>& rows, const TextStyle& style) {
    const Painter paint(style);
    std::size_t names = 0, notes = 0, points = 0;
    for (const Row& row : rows) {
        names = std::max(names, display_width(row.name));
        notes = std::max(notes, row.note.size());
        points = std::max(points, points_text(row).size());
    }
    const std::size_t others = kColumnGap + kVerdictWidth + kColumnGap +
                               (notes == 0 ? 0 : kColumnGap + notes) + kColumnGap + points;
    const std::size_t room = style.width - std::min(style.width, others);
    names = std::min(names, std::max(room, kLeastName));
    Lines lines;
    for (const Row& row : rows) {
        const std::string verdict = row.verdict;
        std::string line = std::string(kColumnGap, ' ') + paint(row.colour, verdict) +
                           std::string(kVerdictWidth + kColumnGap - verdict.size(), ' ') +
                           padded(cut_to_width(row.name, names), names);
        if (notes > 0)
            line += std::string(kColumnGap, ' ') + paint(Colour::dim, row.note) +
                    std::string(notes - row.note.size(), ' ');
        line += fmt::format("{:{}}{:>{}}", "", kColumnGap, points_text(row), points);
        lines.push_back(line);
    }
    return lines;
}

bool are_in_same_lines(const TestResult& one, const TestResult& other) {
    return std::ranges::equal(
        one.places, other.places, [](const MarkedPlace& a, const MarkedPlace& b) {
            return a.place.file == b.place.file && a.place.line == b.place.line;
        });
}

}  // namespace

bool has_same_cause(const TestResult& one, const TestResult& other) {
    if (one.verdict != Verdict::fail || other.verdict != Verdict::fail) return false;
    if (!one.diagnosis.empty() && one.diagnosis == other.diagnosis) return true;
    if (!one.finding.empty() && one.finding == other.finding)
        return !one.places.empty() && are_in_same_lines(one, other);
    return !one.what.empty() && one.what == other.what;
}

std::string heading_line(const Grading& grading, const TextStyle& style) {
    const Painter paint(style);
    const std::string number = "Lab " + visible_word(grading.lab.number()) + "  ";
    const std::string points =
        grading.built ? fmt::format("{:g} / {:g} points", grading.points(), grading.max_points())
                      : "does not build";
    const bool has_sandbox = grading.checked.isolation != kNoSandbox;
    const std::string device =
        visible_word(grading.device.name) + (has_sandbox ? "" : ", without a sandbox");
    const std::size_t others = number.size() + 4 + points.size() + 4 + display_width(device);
    // A terminal too narrow for a title still has room for the points.
    if (others + 4 > style.width)
        return paint(Colour::strong, cut_to_width(number + points + "  " + device, style.width));
    const std::string title =
        cut_to_width(visible_word(grading.lab.title), style.width - std::min(style.width, others));
    return paint(Colour::strong, number + title) + "    " + paint(Colour::strong, points) + "    " +
           paint(Colour::dim, device);
}

std::string isolation_remark(const Checked& checked) {
    if (checked.isolation == kNoSandbox)
        return "Graded without a sandbox: " + visible(checked.isolation_note) + ".";
    if (checked.isolation == "accidents only")
        return "Isolation guards against accidents only: " + visible(checked.isolation_note);
    return "";
}

Lines verdict_table(const Grading& grading, const TextStyle& style) {
    std::vector<Row> rows;
    for (const TestResult& test : grading.checked.tests) rows.push_back(row_of(grading, test));
    return lines_of(rows, style);
}

Lines short_verdict_table(const Grading& grading, const TextStyle& style) {
    std::vector<Row> rows;
    std::size_t tests = 0;  // in the last row
    for (const TestResult& test : grading.checked.tests) {
        Row row = row_of(grading, test);
        const bool is_told = row.verdict == std::string_view("FAIL");
        if (is_told || rows.empty() || rows.back().verdict != std::string_view(row.verdict)) {
            rows.push_back(std::move(row));
            tests = 1;
            continue;
        }
        Row& all = rows.back();
        all.name = fmt::format("{} tests", ++tests);
        all.note.clear();
        all.earned += row.earned;
        all.most += row.most;
    }
    return lines_of(rows, style);
}

}  // namespace lab
