#include "author/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "base/failure.h"

namespace lab {
namespace {

/// What became of a test, and why, as far as it was said.
std::string instead_of_failing(const TestResult& test, const Grading& grading) {
    std::string text = to_string(test.verdict);
    if (!test.message.empty()) text += ", " + test.message;
    if (test.verdict == Verdict::not_run && !grading.checked.reason.empty())
        text += ", " + grading.checked.reason + ": " + grading.checked.message;
    return text;
}

/// All that was said of a test that failed.
std::string said_of(const TestResult& test) {
    return test.message + "\n" + test.diagnosis;
}

/// The tests whose messages have words that must not be said.
std::string said_all_the_same(const std::string& words, const Grading& grading) {
    std::string broken;
    for (const TestResult& test : grading.checked.tests) {
        if (said_of(test).find(words) == std::string::npos) continue;
        broken += fmt::format("\"{}\" says what it never must.\n  never     {}\n  got       {}\n",
                              test.name, words, said_of(test));
    }
    return broken;
}

}  // namespace

std::vector<Expectation> read_expectations(std::string_view text, const std::string& place) {
    static const std::regex words(R"re(\s*"([^"]+)"\s*:\s*"([^"]+)"\s*)re");
    static const std::regex line_of(R"(^// expect (\w+):(.*)$)");
    static const std::regex never(R"re(^// expect never: "([^"]+)"$)re");
    static const std::regex flag(R"(^// expect flag: (\w+)$)");
    std::vector<Expectation> expectations;
    std::istringstream lines{std::string(text)};
    int number = 0;
    bool gpu = false, vgpu = false;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::smatch parts, quoted;
        if (!line.starts_with("// expect")) continue;
        const auto fail = [&](const std::string& message) {
            throw own_fault(fmt::format("{}:{}: {}", place, number, message));
        };
        Expectation expectation;
        if (std::regex_match(line, parts, never)) {
            expectation.never = true;
            expectation.words = parts[1];
            expectations.push_back(std::move(expectation));
            continue;
        }
        if (std::regex_match(line, parts, flag)) {
            expectation.flag = parts[1];
            expectations.push_back(std::move(expectation));
            continue;
        }
        const bool understood =
            std::regex_match(line, parts, line_of) && (parts[1] == "gpu" || parts[1] == "vgpu");
        std::string rest = understood ? parts[2].str() : "";
        constexpr std::string_view kNeeds = " needs sanitizer";
        if (rest.starts_with(kNeeds)) {
            expectation.needs_sanitizer = true;
            rest.erase(0, kNeeds.size());
            if (rest.starts_with(':')) rest.erase(0, 1);
        }
        expectation.shows_nothing = rest == " nothing";
        if (expectation.shows_nothing || (expectation.needs_sanitizer && rest.empty())) {
            // Nothing more is promised.
        } else if (std::regex_match(rest, quoted, words)) {
            expectation.test = quoted[1];
            expectation.words = quoted[2];
        } else {
            fail(
                "not understood. Write: // expect vgpu: \"NAME OF A TEST\": \"words of its "
                "message\", or: // expect gpu: needs sanitizer, or: // expect gpu: nothing, or: "
                "// expect never: \"words of no message\", or: // expect flag: KIND");
        }
        expectation.device = parts[1] == "gpu" ? DeviceKind::gpu : DeviceKind::vgpu;
        (expectation.device == DeviceKind::gpu ? gpu : vgpu) = true;
        expectations.push_back(std::move(expectation));
    }
    if (!gpu || !vgpu)
        throw own_fault(fmt::format("{}:1: no line \"// expect {}: ...\" says what must happen.",
                                    place, gpu ? "vgpu" : "gpu"));
    return expectations;
}

std::string expectation_lines(const std::vector<Expectation>& expectations) {
    std::string lines;
    for (const Expectation& expected : expectations) {
        if (expected.never) {
            lines += fmt::format("// expect never: \"{}\"\n", expected.words);
            continue;
        }
        if (!expected.flag.empty()) {
            lines += fmt::format("// expect flag: {}\n", expected.flag);
            continue;
        }
        std::string says = expected.shows_nothing ? " nothing" : "";
        if (expected.needs_sanitizer) says += " needs sanitizer";
        if (expected.needs_sanitizer && !expected.test.empty()) says += ":";
        if (!expected.test.empty())
            says += fmt::format(" \"{}\": \"{}\"", expected.test, expected.words);
        lines += fmt::format("// expect {}:{}\n", to_string(expected.device), says);
    }
    return lines;
}

std::string only_test_of(const std::vector<Expectation>& expectations, DeviceKind device) {
    std::string only;
    for (const Expectation& expected : expectations) {
        if (expected.never || !expected.flag.empty()) return {};  // said of all tests
        if (expected.device != device) continue;
        if (expected.test.empty() || (!only.empty() && only != expected.test)) return {};
        only = expected.test;
    }
    return only;
}

std::string unmet(const std::vector<Expectation>& expectations, const Grading& grading) {
    if (!grading.built) return "It does not build:\n" + grading.build_message;
    std::string broken;
    for (const Expectation& expected : expectations) {
        if (expected.never) {
            broken += said_all_the_same(expected.words, grading);
            continue;
        }
        if (!expected.flag.empty()) continue;  // wrong_flags()
        if (expected.device != grading.device.kind || expected.shows_nothing) continue;
        const bool has_sanitizer = grading.checked.unchecked.empty();
        if (expected.needs_sanitizer && (!has_sanitizer || expected.test.empty())) continue;
        const auto& tests = grading.checked.tests;
        const auto test = std::find_if(tests.begin(), tests.end(), [&](const TestResult& t) {
            return t.name == expected.test;
        });
        if (test == tests.end()) {
            broken += fmt::format("There is no test \"{}\".\n", expected.test);
        } else if (test->verdict != Verdict::fail) {
            broken += fmt::format("\"{}\" does not fail: {}\n", expected.test,
                                  instead_of_failing(*test, grading));
        } else if (said_of(*test).find(expected.words) == std::string::npos) {
            broken += fmt::format("\"{}\" fails in other words.\n  expected  {}\n  got       {}\n",
                                  expected.test, expected.words, said_of(*test));
        }
    }
    return broken;
}

std::string wrong_flags(const std::vector<Expectation>& expectations, const Grading& grading) {
    const std::vector<Flag> flags = flags_of(grading.checked);
    std::string broken;
    for (const Flag& flag : flags)
        if (std::ranges::find(expectations, flag.kind, &Expectation::flag) == expectations.end())
            broken += fmt::format("It is flagged: {}: {}\n", flag.kind, flag.evidence);
    if (grading.device.kind != DeviceKind::vgpu) return broken;
    for (const Expectation& expected : expectations)
        if (!expected.flag.empty() &&
            std::ranges::find(flags, expected.flag, &Flag::kind) == flags.end())
            broken += fmt::format("It is not flagged: {}\n", expected.flag);
    return broken;
}

std::string giveaways(const Answers& answers, const std::string& submission,
                      const Grading& grading) {
    std::string broken;
    for (const TestResult& test : grading.checked.tests) {
        const auto found = answers.given_away_by(said_of(test), submission);
        if (!found) continue;
        broken += fmt::format(
            "\"{}\" gives the answer away.\n  code      {}\n  from      {}\n  got       {}\n",
            test.name, found->code, found->where, said_of(test));
    }
    return broken;
}

}  // namespace lab
