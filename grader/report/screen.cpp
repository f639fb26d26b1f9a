#include "report/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/excerpt.h"
#include "report/finding_title.h"
#include "report/lines.h"
#include "report/values_text.h"
#include "report/verdict_table.h"
#include "report/warning_rows.h"

namespace lab {
namespace {

/// Checks of labs say what happened in the words that follow a call, "no kernel was launched". By
/// themselves they begin a sentence; a name, such as that of a parameter, stays as it is.
std::string with_capital(std::string text) {
    for (const char* const word :
         {"no ", "nothing ", "one ", "each ", "the ", "there ", "a ", "warps "})
        if (text.starts_with(word)) {
            text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
            break;
        }
    return text;
}

/// Fixed lines, and elastic lines, of which a screen shows as many as fit.
struct Block {
    Lines lines;
    std::size_t least = 0;  ///< lines of it that are always shown
    bool is_elastic = false;
    std::string cut_command{};  ///< prints the cut lines; empty: the last line ends in "..."
    Colour colour = Colour::plain;
    Lines short_form{};   ///< shown instead where `lines` do not all fit; empty: there is none
    bool yields = false;  ///< gets its lines only where all explanations have theirs

    /// The smaller, the sooner it gets its lines: explanations, the table, then what a command
    /// prints in full.
    int order() const { return yields ? 1 : cut_command.empty() ? 0 : 2; }
};

class Screen {
public:
    Screen(const Grading& grading, const std::string& command, const TextStyle& style,
           bool has_next = true)
        : grading_(grading),
          command_(visible_word(command)),
          style_(style),
          paint_(style),
          has_next_(has_next) {}

    std::string text() {
        fixed({heading_line(grading_, style_)});
        if (!grading_.built) {
            does_not_build();
        } else {
            append_table();
            append_outcome();
        }
        return fitted();
    }

private:
    void fixed(Lines lines, Colour colour = Colour::plain) {
        blocks_.push_back({std::move(lines), 0, false, "", colour});
    }
    void elastic(Lines lines, std::size_t least, std::string cut_command = "",
                 Colour colour = Colour::plain) {
        blocks_.push_back({std::move(lines), least, true, std::move(cut_command), colour});
    }
    void prose(const std::string& text, std::size_t least, Colour colour = Colour::plain) {
        elastic(prose_lines(text, 0, style_.width), least, "", colour);
    }
    void blank() { fixed({""}); }

    std::string all() const { return command_ + " --all"; }
    /// A command for this file that runs on the virtual GPU whatever the grading ran on.
    std::string on_vgpu(const std::string& word) const {
        const std::size_t file = command_.find(" --file "), device = command_.find(" --device ");
        return "./lab " + word + " " + grading_.lab.number() +
               (file == std::string::npos ? "" : command_.substr(file, device - file));
    }
    std::string hint(int task) const {
        return fmt::format("./lab hint {} --task {}", grading_.lab.number(), task);
    }

    struct Next {
        std::string command, why;
    };
    void next(const std::vector<Next>& commands) {
        if (!has_next_) return;
        std::size_t width = 0;
        for (const Next& one : commands) width = std::max(width, display_width(one.command));
        Lines lines;
        for (const Next& one : commands) {
            const std::string line = (lines.empty() ? "Next:  " : "       ") +
                                     padded(one.command, width) + "   " + one.why;
            // Cut the reason first, then the command.
            lines.push_back(display_width(line) <= style_.width
                                ? line
                                : (lines.empty() ? "Next:  " : "       ") + one.command);
        }
        blank();
        fixed(lines);
    }

    void does_not_build() {
        blank();
        elastic(message_lines(visible(grading_.build_message), 0, style_.width), 4, all());
        next({{command_, "when the first error is fixed"}});
    }

    void append_table() {
        Block table{verdict_table(grading_, style_)};
        table.short_form = short_verdict_table(grading_, style_);
        table.least = table.short_form.size();
        table.is_elastic = table.yields = true;
        blocks_.push_back(std::move(table));
        if (!grading_.only_tests.empty())
            fixed(prose_lines(
                fmt::format("Only the tests with \"{}\" in their name, and those they need.",
                            visible_word(grading_.only_tests)),
                2, style_.width));
        if (!grading_.checked.message.empty()) {
            blank();
            elastic(message_lines(visible(grading_.checked.message), 0, style_.width), 2);
        }
    }

    void append_outcome() {
        const auto& tests = grading_.checked.tests;
        const bool nothing_begun =
            !grading_.lab.whole && (grading_.untouched || has_only_untouched_tasks());
        if (const TestResult* failed = first_failure(tests, grading_.tasks);
            failed != nullptr && !nothing_begun) {
            failure(*failed);
        } else if (nothing_begun && grading_.exit() != Exit::full_marks) {
            first_step();
        } else if (const TaskState* task = next_task();
                   task != nullptr && grading_.checked.reason.empty()) {
            next_step(*task);
        } else if (grading_.exit() == Exit::full_marks) {
            full_marks();
        } else {
            next({{all(), "every test in full"}});
        }
    }

    bool has_only_untouched_tasks() const {
        return !grading_.tasks.empty() &&
               std::ranges::none_of(grading_.tasks,
                                    [](const TaskState& task) { return task.begun; });
    }

    void failure(const TestResult& test) {
        blank();
        const bool names_call = headline(test);
        body(test, names_call);
        if (!test.output.empty()) output(test.output);
        warnings(1);
        std::vector<Next> commands;
        if (has_hints(test.task)) commands.push_back({hint(test.task), "a hint"});
        if (test.kind == "speed")
            commands.push_back({on_vgpu("profile"), "what limits it, what to change"});
        else if (!test.call.empty() && !test.what.starts_with("segmentation fault"))  // of the host
            commands.push_back({on_vgpu("step"), "to the mistake, step by step"});
        commands.push_back({all() + " --seed " + grading_.seed, "every failure, same data"});
        next(commands);
    }

    bool has_hints(int task) const {
        return std::ranges::any_of(grading_.lab.hints,
                                   [&](const Hint& hint) { return hint.task == task; });
    }

    /// The mistake in a sentence or two; empty if only the symptom is known.
    static std::string mistake(const TestResult& test) {
        // A speed test may stop a kernel that would have ended.
        const std::string title(test.kind == "speed" ? "" : finding_title(test.finding));
        const bool has_both = !title.empty() && !test.diagnosis.empty();
        return title + (has_both ? " " : "") + visible(test.diagnosis);
    }

    /// Returns whether it names the call.
    bool headline(const TestResult& test) {
        constexpr std::size_t kLeast = 3;
        if (const std::string sentence = mistake(test); !sentence.empty()) {
            prose(sentence, kLeast, Colour::bad);
            return false;
        }
        if (test.values) {
            prose(wrong_elements(*test.values) + ".", kLeast, Colour::bad);
            return false;
        }
        const Lines what = split_lines(visible(test.what.empty() ? test.message : test.what));
        const bool names_call = !test.call.empty() && test.message.starts_with(test.call);
        const std::string first = what.empty() ? "This test failed." : with_capital(what.front());
        prose(names_call ? visible_word(test.call) + ": " + (what.empty() ? first : what.front())
                         : first,
              kLeast, Colour::bad);
        Lines rest;
        for (std::size_t i = 1; i < what.size(); ++i)
            append(rest, message_lines(what[i], 2, style_.width));
        if (!rest.empty()) elastic(rest, 3);
        return names_call;
    }

    void body(const TestResult& test, bool names_call) {
        const Lines excerpt = source_excerpt(test.places, grading_.submission.shown,
                                             grading_.submission.text, style_);
        const bool is_named = !mistake(test).empty();
        if (test.values) {
            if (is_named) fixed(prose_lines(wrong_elements(*test.values) + ":", 2, style_.width));
            fixed(values_text(*test.values, style_));
        } else {
            if (is_named && (excerpt.empty() || test.diagnosis.empty()))
                elastic(message_lines(visible(test.what), 2, style_.width), 2);
            fixed(excerpt);
        }
        const std::string where = where_else(test, names_call);
        if (!where.empty()) fixed(prose_lines(where, 2, style_.width));
    }

    /// "In f(n = 257); also for n = 1000 and 2 more; 3 other tests fail the same way."
    std::string where_else(const TestResult& test, bool names_call) const {
        std::vector<std::string> parts;
        if (!names_call && !test.call.empty()) parts.push_back("in " + visible_word(test.call));
        if (const std::size_t cases = test.other_cases.size(); cases > 0)
            parts.push_back("also for " + visible_word(test.other_cases.front()) +
                            (cases > 1 ? fmt::format(" and {} more", cases - 1) : ""));
        const auto same =
            std::ranges::count_if(grading_.checked.tests, [&](const TestResult& other) {
                return &other != &test && is_begun(grading_.tasks, other) &&
                       has_same_cause(test, other);
            });
        if (same > 0)
            parts.push_back(same == 1 ? "another test fails the same way"
                                      : fmt::format("{} other tests fail the same way", same));
        std::string text;
        for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
        if (text.empty()) return text;
        if (names_call || test.call.empty()) text[0] = static_cast<char>(std::toupper(text[0]));
        return text + ".";
    }

    void output(const std::string& printed) {
        fixed({"Your program printed:"});
        elastic(quoted_lines(printed, style_.width), 1, all());
    }

    void warnings(std::size_t least) {
        if (grading_.build_message.empty()) return;
        fixed({paint_(Colour::notice, "nvcc warns (that costs no points):")});
        elastic(message_lines(visible(grading_.build_message), 2, style_.width), least, all());
        // The place and the words of a warning come before the code that it quotes.
        Lines& rows = blocks_.back().short_form = warning_rows(visible(grading_.build_message));
        for (std::string& row : rows) row = cut_to_width(row, style_.width);
    }

    void first_step() {
        blank();
        fixed(prose_lines(grading_.untouched
                              ? "You haven't changed this file yet. Start here:"
                              : "The code of the tasks is as it was handed out. Start here:",
                          0, style_.width));
        elastic(prose_lines(visible(grading_.lab.first_step), 2, style_.width), 2);
        next({{command_, "when you have changed it"}});
    }

    /// The first task that is not begun, if a test of it lost points.
    const TaskState* next_task() const {
        for (const TaskState& task : grading_.tasks) {
            const bool has_lost =
                std::ranges::any_of(grading_.checked.tests, [&](const TestResult& test) {
                    return test.task == task.task && test.earned < test.points;
                });
            if (!task.begun && has_lost) return &task;
        }
        return nullptr;
    }

    void next_step(const TaskState& task) {
        blank();
        const std::string place =
            task.todo_line == 0
                ? visible_word(grading_.submission.shown)
                : fmt::format("{}:{}", visible_word(grading_.submission.shown), task.todo_line);
        prose(fmt::format("Everything you have begun is right. Next is task {}: {}", task.task,
                          place),
              2, Colour::good);
        warnings(1);
        std::vector<Next> commands = {{command_, "when you have changed it"}};
        if (has_hints(task.task)) commands.push_back({hint(task.task), "a hint"});
        next(commands);
    }

    void full_marks() {
        for (const TestResult& test : grading_.checked.tests) {
            if (test.verdict == Verdict::inconclusive) inconclusive(test);
        }
        if (!grading_.build_message.empty()) blank();
        warnings(2);
        if (const std::string remark = isolation_remark(grading_.checked); !remark.empty()) {
            blank();
            elastic(prose_lines(remark, 0, style_.width), 1, "", Colour::dim);
        }
        if (!grading_.checked.unchecked.empty()) {
            blank();
            prose(visible(grading_.checked.unchecked), 1);
        }
        if (!grading_.only_tests.empty())
            return next({{"./lab grade " + grading_.lab.number(), "all tests"}});
        blank();
        fixed({"Full marks."}, Colour::good);
        next({{"./lab review " + grading_.lab.number(), "the reference beside yours"},
              {"./lab next", "the next lab"}});
    }

    void inconclusive(const TestResult& test) {
        blank();
        if (!test.message.empty())
            elastic(message_lines(visible(test.message), 0, style_.width), 1);
        std::string text = "The measurement cannot tell";
        if (test.speed && test.speed->timed)
            text +=
                fmt::format(": {:.2f}x to {:.2f}x the reference's speed, and {:.2f}x is required",
                            test.speed->low, test.speed->high, test.speed->threshold);
        prose(text + ". It costs no points.", 1);
    }

    /// Takes as many lines of the elastic blocks as fit, the first blocks first.
    std::string fitted() const {
        std::size_t used = 1;  // the shell's line
        for (const Block& block : blocks_)
            used +=
                block.is_elastic ? std::min(block.least, block.lines.size()) : block.lines.size();
        std::size_t spare = style_.height - std::min(style_.height, used);
        std::vector<std::size_t> counts(blocks_.size());
        for (int order = 0; order <= 2; ++order) {
            for (std::size_t i = 0; i < blocks_.size(); ++i) {
                if (blocks_[i].order() != order) continue;
                counts[i] = lines_taken(blocks_[i], spare);
                if (blocks_[i].is_elastic)
                    spare -= counts[i] - std::min(blocks_[i].least, counts[i]);
            }
        }
        std::string text;
        for (std::size_t i = 0; i < blocks_.size(); ++i) text += shown(blocks_[i], counts[i]);
        return text;
    }

    static std::size_t lines_taken(const Block& block, std::size_t spare) {
        const std::size_t all = block.lines.size();
        const std::size_t least = std::min(block.least, all);
        if (!block.is_elastic || all - least <= spare) return all;
        if (block.yields) return least;
        const std::size_t most = block.short_form.empty() ? all : block.short_form.size();
        return std::min(least + spare, std::max(least, most));
    }

    std::string shown(const Block& block, std::size_t count) const {
        if (count < block.lines.size() && !block.short_form.empty()) return shortened(block, count);
        Lines lines(block.lines.begin(), block.lines.begin() + static_cast<std::ptrdiff_t>(count));
        const std::size_t left_out = block.lines.size() - count;
        if (left_out > 0 && !lines.empty()) {
            lines.back() = cut_to_width(
                block.cut_command.empty()
                    ? lines.back() + " ..."
                    : fmt::format("... {} more lines:  {}", left_out + 1, block.cut_command),
                style_.width);
        }
        for (std::string& line : lines) line = paint_(block.colour, line);
        return joined(lines);
    }

    std::string shortened(const Block& block, std::size_t count) const {
        const std::size_t rows = std::min(count, block.short_form.size());
        Lines lines;
        for (std::size_t i = 0; i < rows; ++i)
            lines.push_back(paint_(block.colour, block.short_form[i]));
        return joined(lines);
    }

    const Grading& grading_;
    const std::string command_;
    const TextStyle style_;
    const Painter paint_;
    const bool has_next_;
    std::vector<Block> blocks_;
};

}  // namespace

std::string grading_screen(const Grading& grading, const std::string& command,
                           const TextStyle& style) {
    return Screen(grading, command, style).text();
}

std::string grading_verdict(const Grading& grading, const std::string& command,
                            const TextStyle& style) {
    return Screen(grading, command, style, false).text();
}

}  // namespace lab
