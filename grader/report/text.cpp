#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/visible.h"
#include "report/excerpt.h"
#include "report/lines.h"
#include "report/values_text.h"
#include "report/verdict_table.h"

namespace lab {
namespace {

constexpr std::size_t kMargin = 6;

const char* word_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "ok";
        case Verdict::fail:
            return "FAIL";
        case Verdict::inconclusive:
            return "INCONCLUSIVE";
        case Verdict::not_run:
            break;
    }
    return "not run";
}

Colour colour_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return Colour::good;
        case Verdict::fail:
            return Colour::bad;
        case Verdict::inconclusive:
            return Colour::notice;
        case Verdict::not_run:
            break;
    }
    return Colour::dim;
}

std::string title_line(const TestResult& test, const Painter& paint) {
    return paint(colour_of(test.verdict), word_of(test.verdict)) + "  " +
           paint(Colour::strong, visible_word(test.name));
}

std::string hint_command(const Grading& grading, const TestResult& test) {
    const bool has_hints = std::any_of(grading.lab.hints.begin(), grading.lab.hints.end(),
                                       [&](const Hint& hint) { return hint.task == test.task; });
    return has_hints ? fmt::format("./lab hint {} --task {}", grading.lab.number(), test.task) : "";
}

/// Moved to the right.
Lines in_margin(Lines lines) {
    for (std::string& line : lines)
        if (!line.empty()) line.insert(0, kMargin, ' ');
    return lines;
}

/// The submission's own output during a test.
Lines output_lines(const TestResult& test, const TextStyle& style) {
    if (test.output.empty()) return {};
    Lines lines = {"Your program printed:"};
    append(lines, quoted_lines(test.output, style.width - kMargin));
    return in_margin(lines);
}

/// One test that did not pass: place, what happened, the mistake, the lines of source.
Lines what_happened(const Grading& grading, const TestResult& test, const TextStyle& style) {
    Lines lines = {"", title_line(test, Painter(style))};
    std::string body;
    if (test.place && test.places.empty()) {
        const std::string place = fmt::format("{}:{}", test.place->file, test.place->line);
        if (test.message.find(place) == std::string::npos) body += place + "\n";
    }
    body += test.message;
    if (!body.empty() && body.back() != '\n') body += '\n';
    if (test.verdict == Verdict::inconclusive && test.speed && test.speed->timed)
        body += fmt::format(
            "The measurement cannot tell: {:.2f}x to {:.2f}x the reference's speed, and {:.2f}x is "
            "required.\nIt costs no points.\n",
            test.speed->low, test.speed->high, test.speed->threshold);
    if (!test.diagnosis.empty() && test.message.find(test.diagnosis) == std::string::npos)
        body += test.diagnosis + "\n";
    append(lines, message_lines(visible(body), kMargin, style.width));
    TextStyle narrower = style;
    narrower.width -= std::min(style.width, kMargin);
    append(lines, in_margin(source_excerpt(test.places, grading.submission.shown,
                                           grading.submission.text, narrower)));
    if (test.values) append(lines, in_margin(values_text(*test.values, narrower)));
    append(lines, output_lines(test, style));
    return lines;
}

/// The same, with the next commands, which are never cut.
Lines whole_failure(const Grading& grading, const TestResult& test, const std::string& command,
                    const TextStyle& style) {
    Lines lines = what_happened(grading, test, style);
    if (test.verdict == Verdict::inconclusive) return lines;
    lines.emplace_back();
    if (const std::string hint = hint_command(grading, test); !hint.empty())
        lines.push_back("      Hint    " + hint);
    lines.push_back(fmt::format("      Again   {} --test {} --seed {}", visible_word(command),
                                shell_word(visible_word(test.name)), grading.seed));
    return lines;
}

/// The tests that were not run, grouped by reason.
Lines not_run(const Grading& grading, const TextStyle& style) {
    std::vector<std::string> reasons;
    for (const TestResult& test : grading.checked.tests) {
        const bool known = std::find(reasons.begin(), reasons.end(), test.message) != reasons.end();
        if (test.verdict == Verdict::not_run && !known) reasons.push_back(test.message);
    }
    Lines lines;
    for (const std::string& reason : reasons) {
        lines.emplace_back();
        for (const TestResult& test : grading.checked.tests)
            if (test.verdict == Verdict::not_run && test.message == reason)
                lines.push_back(title_line(test, Painter(style)));
        append(lines, message_lines(visible(reason), kMargin, style.width));
    }
    return lines;
}

Lines build_lines(const Grading& grading, const std::string& command, const TextStyle& style) {
    Lines lines = {
        Painter(style)(Colour::bad, visible_word(grading.submission.shown) + " does not build:"),
        ""};
    append(lines, split_lines(visible(grading.build_message)));
    lines.emplace_back();
    lines.push_back("Next:  " + visible_word(command) + "   when the first error is fixed");
    return lines;
}

/// Notes on the grading as a whole.
Lines remarks(const Grading& grading, const TextStyle& style) {
    Lines lines;
    if (const std::string remark = isolation_remark(grading.checked); !remark.empty()) {
        lines.emplace_back();
        append(lines, prose_lines(remark, 0, style.width));
    }
    for (const Flag& flag : flags_of(grading.checked)) {
        lines.emplace_back();
        append(lines, message_lines(fmt::format("Flagged for the instructor ({}): {}",
                                                visible_word(flag.kind), visible(flag.evidence)),
                                    0, style.width));
    }
    if (!grading.checked.unchecked.empty()) {
        lines.emplace_back();
        append(lines, prose_lines(visible(grading.checked.unchecked), 0, style.width));
    }
    return lines;
}

}  // namespace

std::string device_line(const Device& device, const TextStyle& style) {
    return Painter(style)(Colour::dim, fmt::format("Device: {} ({})", visible_word(device.name),
                                                   visible_word(device.why))) +
           "\n";
}

std::string heading(const Grading& grading, const TextStyle& style) {
    const std::string lab = fmt::format("Lab {}: {}", grading.lab.number(), grading.lab.title);
    return fmt::format("{}, {}\n", Painter(style)(Colour::strong, visible_word(lab)),
                       visible_word(grading.submission.shown));
}

std::string cases_text(const Grading& grading, const std::string& command, const std::string& more,
                       const TextStyle& style) {
    if (!grading.built) return joined(build_lines(grading, command, style));
    Lines lines;
    for (const TestResult& test : grading.checked.tests)
        if (test.verdict == Verdict::fail) append(lines, what_happened(grading, test, style));
    append(lines, not_run(grading, style));
    if (!lines.empty()) append(lines, {"", "      More    " + visible_word(more), ""});
    return joined(lines);
}

std::string grading_text(const Grading& grading, const std::string& command,
                         const TextStyle& style) {
    const Painter paint(style);
    if (!grading.built)
        return heading(grading, style) + "\n" + joined(build_lines(grading, command, style));
    Lines lines = {heading_line(grading, style), visible_word(grading.submission.shown)};
    if (!grading.build_message.empty()) {
        append(lines, {"", paint(Colour::notice, "nvcc warns (that costs no points):"), ""});
        append(lines, split_lines(visible(grading.build_message)));
    }
    lines.emplace_back();
    append(lines, verdict_table(grading, style));
    if (!grading.only_tests.empty())
        lines.push_back(
            fmt::format("  Only the tests with \"{}\" in their name, and those they need.",
                        visible_word(grading.only_tests)));
    if (!grading.checked.message.empty()) {
        lines.emplace_back();
        append(lines, message_lines(visible(grading.checked.message), 2, style.width));
    }
    for (const TestResult& test : grading.checked.tests) {
        if (test.verdict == Verdict::fail || test.verdict == Verdict::inconclusive) {
            append(lines, whole_failure(grading, test, command, style));
        } else if (!test.output.empty()) {
            append(lines, {"", title_line(test, paint)});
            append(lines, output_lines(test, style));
        }
    }
    append(lines, not_run(grading, style));
    append(lines, remarks(grading, style));
    if (grading.exit() == Exit::full_marks && grading.only_tests.empty())
        append(lines, {"", paint(Colour::good, "Full marks.") + "  Next:  ./lab review " +
                               grading.lab.number() + ", ./lab next"});
    return joined(lines);
}

}  // namespace lab
