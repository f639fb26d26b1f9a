// https://github.com/testmoapp/junitxml
#include "report/exports/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "base/visible.h"

namespace lab {
namespace {

/// A test case with what is inside it: `<failure .../>` and the like, or nothing.
std::string junit_case(const ExportGrade& lab, const std::string& name, double seconds,
                       const std::string& inside) {
    return fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"{}\n",
                       xml_escaped(lab.lab), xml_escaped(name), seconds,
                       inside.empty() ? "/>" : ">" + inside + "</testcase>");
}

std::string junit_element(const char* tag, const std::string& text) {
    const std::string first = text.substr(0, text.find('\n'));
    return fmt::format("<{0} message=\"{1}\">{2}</{0}>", tag, xml_escaped(first),
                       xml_escaped(text));
}

std::string junit_test(const ExportGrade& lab, const ExportTest& test) {
    std::string inside;
    if (test.verdict == Verdict::fail)
        inside = junit_element("failure", test.message.empty() ? "failed" : test.message);
    else if (test.verdict == Verdict::not_run)
        inside = "<skipped/>";
    else if (!test.message.empty())
        inside = "<system-out>" + xml_escaped(test.message) + "</system-out>";
    return junit_case(lab, test.name, test.seconds, inside);
}

struct JunitSuite {
    std::string cases;
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    double seconds = 0;

    std::string counts() const {
        return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")",
                           tests, failures, errors, skipped, seconds);
    }
    void operator+=(const JunitSuite& other) {
        cases += other.cases;
        tests += other.tests;
        failures += other.failures;
        errors += other.errors;
        skipped += other.skipped;
        seconds += other.seconds;
    }
};

JunitSuite junit_suite(const ExportGrade& lab) {
    JunitSuite suite;
    const bool has_run = lab.state == AttemptState::graded && lab.built;
    if (!has_run) {
        const std::string text = overview_text(lab);
        suite.tests = 1;
        (lab.is_open ? suite.skipped : suite.errors) = 1;
        suite.cases = junit_case(lab, "the submission can be graded", 0,
                                 lab.is_open ? "<skipped/>" : junit_element("error", text));
        if (lab.is_open) return suite;
    }
    for (const ExportTest& test : lab.tests) {
        suite.cases += junit_test(lab, test);
        suite.tests += 1;
        suite.failures += test.verdict == Verdict::fail ? 1u : 0u;
        suite.skipped += test.verdict == Verdict::not_run ? 1u : 0u;
        suite.seconds += test.seconds;
    }
    return suite;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string escaped;
    const std::string shown = visible(text);
    for (std::size_t at = 0; at < shown.size();) {
        const std::string_view rest = std::string_view(shown).substr(at);
        const std::size_t length = utf8_length(rest);
        const char32_t code = utf8_code_point(rest);
        switch (code) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\n':  // in an attribute, a bare one would be read as a blank
                escaped += "&#10;";
                break;
            case '\t':
                escaped += "&#9;";
                break;
            case 0xFFFE:
            case 0xFFFF:
                escaped += '?';
                break;
            default:
                escaped += rest.substr(0, length);
        }
        at += length;
    }
    return escaped;
}

std::string junit_xml(const std::vector<ExportGrade>& labs) {
    JunitSuite all;
    for (const ExportGrade& lab : labs) {
        JunitSuite suite = junit_suite(lab);
        suite.cases = fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n",
                                  xml_escaped(lab.lab), suite.counts(), suite.cases);
        all += suite;
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n{}"
        "</testsuites>\n",
        labs.empty() ? "" : xml_escaped(labs.front().student.id), all.counts(), all.cases);
}

}  // namespace lab
