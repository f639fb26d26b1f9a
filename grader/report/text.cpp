#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/visible.h"

namespace lab {
namespace {

enum class Colour { plain, good, bad, notice, dim, strong };

class Painter {
public:
    explicit Painter(const TextStyle& style) : style_(style) {}

    std::string operator()(Colour colour, std::string_view text) const {
        if (!style_.colour || colour == Colour::plain) return std::string(text);
        return fmt::format("\x1b[{}m{}\x1b[0m", code(colour), text);
    }

private:
    static const char* code(Colour colour) {
        switch (colour) {
            case Colour::good:
                return "32";
            case Colour::bad:
                return "1;31";
            case Colour::notice:
                return "33";
            case Colour::dim:
                return "2";
            case Colour::strong:
                return "1";
            case Colour::plain:
                break;
        }
        return "0";
    }

    TextStyle style_;
};

struct VerdictLook {
    const char* word;
    Colour colour;
};

VerdictLook look(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return {"pass", Colour::good};
        case Verdict::fail:
            return {"FAIL", Colour::bad};
        case Verdict::inconclusive:
            return {"INCONCLUSIVE", Colour::notice};
        case Verdict::not_run:
            break;
    }
    return {"not run", Colour::dim};
}

/// Every line of `text` moved to the right; no line is left with blanks only.
std::string indented(std::string_view text, std::size_t columns) {
    std::string result;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) result.append(columns, ' ');
        result += line + "\n";
    }
    return result;
}

/// A message, moved to the right. Long lines of prose are wrapped; tables begin with a blank, and
/// stay as they are.
std::string shown_message(std::string_view message, std::size_t columns) {
    std::string result;
    std::istringstream lines{std::string(message)};
    for (std::string line; std::getline(lines, line);) {
        const bool prose = !line.empty() && line.front() != ' ';
        result += prose && columns + line.size() > kWidth ? wrapped(line, columns)
                                                          : indented(line + "\n", columns);
    }
    return result;
}

/// A tenth of a second is where people begin to notice.
std::string noticeable(double seconds) {
    return seconds > 0.1 ? fmt::format(" ({:.1f} s)", seconds) : "";
}

/// What a race adds to its test's line, passed or not.
std::string race_note(const TestResult& test) {
    if (!test.race) return "";
    if (!test.race->timed) return fmt::format(" [judged on {}]", test.race->judged_on);
    return fmt::format(" [{:.2f}x the reference]", test.race->ratio);
}

std::string table(const Grading& grading, const Painter& paint) {
    const auto& tests = grading.checked.tests;
    std::size_t verdict_width = 4;
    for (const TestResult& test : tests)
        verdict_width = std::max(verdict_width, std::string_view(look(test.verdict).word).size());
    std::string text;
    for (const TestResult& test : tests) {
        const auto [word, colour] = look(test.verdict);
        text +=
            fmt::format("  {:>3g} /{:>2g}   {}{:{}}   {}{}\n", test.earned, test.points,
                        paint(colour, word), "", verdict_width - std::string_view(word).size(),
                        test.name, paint(Colour::dim, race_note(test) + noticeable(test.seconds)));
    }
    const std::string sum =
        fmt::format("{:>3g} /{:>2g}   points", grading.points(), grading.max_points());
    return text + "  " + std::string(sum.size(), '-') + "\n  " + paint(Colour::strong, sum) + "\n";
}

std::string hint_command(const Grading& grading, const TestResult& test) {
    const bool has_hints = std::any_of(grading.lab.hints.begin(), grading.lab.hints.end(),
                                       [&](const Hint& hint) { return hint.task == test.task; });
    return has_hints ? fmt::format("./lab hint {} {}", grading.lab.number(), test.task) : "";
}

/// One failed or inconclusive test: place, what happened, the mistake.
std::string what_happened(const TestResult& test, const Painter& paint) {
    const auto [word, colour] = look(test.verdict);
    std::string text =
        fmt::format("\n{}  {}\n", paint(colour, word), paint(Colour::strong, test.name));
    std::string body;
    if (test.place) {
        const std::string place = fmt::format("{}:{}", test.place->file, test.place->line);
        if (test.message.find(place) == std::string::npos) body += place + "\n";
    }
    body += test.message;
    if (test.verdict == Verdict::inconclusive && test.race && test.race->timed)
        body += fmt::format(
            "The measurement cannot tell: {:.2f}x to {:.2f}x the reference, and {:.2f}x is "
            "wanted.\n"
            "It costs no points.",
            test.race->low, test.race->high, test.race->threshold);
    if (!body.empty() && body.back() != '\n') body += '\n';
    if (!test.diagnosis.empty() && test.message.find(test.diagnosis) == std::string::npos)
        body += test.diagnosis + "\n";
    text += shown_message(visible(body), 6);
    if (!test.output.empty())
        text += indented("Your program printed:", 6) + indented(visible(test.output), 8);
    return text;
}

/// The same, and the next commands.
std::string failure(const Grading& grading, const TestResult& test, const std::string& command,
                    const Painter& paint) {
    std::string text = what_happened(test, paint);
    if (test.verdict == Verdict::inconclusive) return text;
    text += "\n";
    if (const std::string hint = hint_command(grading, test); !hint.empty())
        text += fmt::format("      Hint    {}\n", hint);
    text += fmt::format("      Again   {} --test {} --seed {}\n", visible(command),
                        shell_word(test.name), grading.seed);
    return text;
}

/// The tests that were not run, those with the same reason together.
std::string not_run(const Grading& grading, const Painter& paint) {
    std::vector<std::string> reasons;
    for (const TestResult& test : grading.checked.tests) {
        const bool known = std::find(reasons.begin(), reasons.end(), test.message) != reasons.end();
        if (test.verdict == Verdict::not_run && !known) reasons.push_back(test.message);
    }
    std::string text;
    for (const std::string& reason : reasons) {
        text += "\n";
        for (const TestResult& test : grading.checked.tests)
            if (test.verdict == Verdict::not_run && test.message == reason)
                text += fmt::format("{}  {}\n", paint(Colour::dim, "not run"), test.name);
        text += shown_message(visible(reason), 6);
    }
    return text;
}

std::string build_text(const Grading& grading, const std::string& command, const Painter& paint) {
    return fmt::format(
        "{}\n\n{}\nMend the first error first: later ones often follow from it. Then:\n"
        "    {}\n",
        paint(Colour::bad, visible(grading.submission.shown) + " does not build:"),
        visible(grading.build_message), visible(command));
}

}  // namespace

std::string shell_word(std::string_view word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-./:=,+@").find(c) != std::string_view::npos;
    });
    if (plain) return std::string(word);
    std::string quoted = "\"";
    for (const char c : word) {
        if (std::string_view("\"\\$`").find(c) != std::string_view::npos) quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
    std::string result;
    std::istringstream paragraphs{std::string(text)};
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        std::istringstream words(paragraph);
        std::string line;
        for (std::string word; words >> word;) {
            if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
                result += std::string(indent, ' ') + line + "\n";
                line.clear();
            }
            line += (line.empty() ? "" : " ") + word;
        }
        result += (line.empty() ? "" : std::string(indent, ' ') + line) + "\n";
    }
    return result;
}

std::string device_line(const Device& device, const TextStyle& style) {
    return Painter(style)(Colour::dim, fmt::format("Device: {} ({})", device.name, device.why)) +
           "\n";
}

std::string heading(const Grading& grading, const TextStyle& style) {
    const std::string lab = fmt::format("Lab {}: {}", grading.lab.number(), grading.lab.title);
    return fmt::format("{}, {}\n", Painter(style)(Colour::strong, lab),
                       visible(grading.submission.shown));
}

std::string cases_text(const Grading& grading, const std::string& command, const std::string& more,
                       const TextStyle& style) {
    const Painter paint(style);
    if (!grading.built) return build_text(grading, command, paint);
    std::string text;
    for (const TestResult& test : grading.checked.tests)
        if (test.verdict == Verdict::fail) text += what_happened(test, paint);
    text += not_run(grading, paint);
    if (!text.empty()) text += fmt::format("\n      More    {}\n\n", visible(more));
    return text;
}

std::string grading_text(const Grading& grading, const std::string& command,
                         const TextStyle& style) {
    const Painter paint(style);
    std::string text = heading(grading, style) + "\n";
    if (!grading.built) return text + build_text(grading, command, paint);

    if (!grading.build_message.empty())
        text +=
            fmt::format("{}\n\n{}\n", paint(Colour::notice, "nvcc warns (that costs no points):"),
                        visible(grading.build_message));
    text += table(grading, paint);
    if (!grading.only_tests.empty())
        text += fmt::format("  (only the tests with \"{}\" in their name, and those they need)\n",
                            grading.only_tests);
    if (!grading.checked.message.empty())
        text += "\n" + shown_message(visible(grading.checked.message), 2);

    if (grading.untouched) {
        text +=
            fmt::format("\nThis file is still as it was handed out. Begin here:\n{}    Then:  {}\n",
                        wrapped(grading.lab.first_step, 4), visible(command));
    } else {
        for (const TestResult& test : grading.checked.tests) {
            if (test.verdict == Verdict::fail || test.verdict == Verdict::inconclusive)
                text += failure(grading, test, command, paint);
        }
        text += not_run(grading, paint);
        const auto failed =
            std::count_if(grading.checked.tests.begin(), grading.checked.tests.end(),
                          [](const TestResult& test) { return test.verdict == Verdict::fail; });
        if (failed > 1) text += "\nMend the first failure first: others often follow from it.\n";
    }
    if (grading.checked.isolation == "accidents only")
        text += fmt::format(
            "\n{}\n", paint(Colour::dim, fmt::format("Isolation guards against accidents only: {}",
                                                     grading.checked.isolation_note)));
    if (!grading.checked.unchecked.empty())
        text += "\n" + wrapped(grading.checked.unchecked, 0, kWidth);
    if (grading.exit() == Exit::full_marks && grading.only_tests.empty())
        text += "\n" + paint(Colour::good, "Full marks.") + " What comes next:  ./lab next\n";
    return text;
}

}  // namespace lab
