#include "report/exports/junit.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/process.h"
#include "report/class/test_class.h"

using namespace lab;
using Json = nlohmann::json;

namespace {

/// What Python's XML parser (expat) reads of a file: suites with their attributes and cases.
constexpr const char* kReader = R"(
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
def case(c):
    return {"attributes": c.attrib, "inside": [{"tag": i.tag, "message": i.get("message", ""),
            "text": i.text or ""} for i in c]}
print(json.dumps({"tag": root.tag, "attributes": root.attrib, "suites": [
    {"tag": s.tag, "attributes": s.attrib, "cases": [case(c) for c in s]} for s in root]}))
)";

Json parsed_xml(const std::string& xml) {
    Command command;
    command.argv = {"python3", "-c", kReader};
    command.input = xml;
    const Finished finished = run(command);
    if (finished.exit_code == 127) SKIP("no python3 to parse XML");
    INFO(xml << finished.err);
    REQUIRE(finished.ok());
    return Json::parse(finished.out);
}

std::vector<ExportGrade> labs_of_student(const TestClass& all, const std::string& student) {
    std::vector<ExportGrade> labs;
    for (const LabGrade& grade : all.grades().grades)
        if (grade.student.id == student) labs.push_back(export_grade(all.grades(), grade));
    return labs;
}

std::size_t number_of(const Json& attributes, const char* name) {
    return std::stoul(attributes.at(name).get<std::string>());
}

/// The cases of a suite that have an element `tag`.
std::size_t cases_with(const Json& suite, const std::string& tag) {
    std::size_t count = 0;
    for (const Json& one : suite.at("cases"))
        for (const Json& inside : one.at("inside")) count += inside.at("tag") == tag ? 1u : 0u;
    return count;
}

}  // namespace

TEST_CASE("junit: every student's file is XML whose counts are right") {
    const TestClass all;
    std::vector<std::string> students;
    for (const LabGrade& grade : all.grades().grades) students.push_back(grade.student.id);
    students.erase(std::unique(students.begin(), students.end()), students.end());
    REQUIRE(students.size() == 24);
    for (const std::string& student : students) {
        const auto labs = labs_of_student(all, student);
        const Json root = parsed_xml(junit_xml(labs));
        CHECK(root.at("tag") == "testsuites");
        REQUIRE(root.at("suites").size() == labs.size());
        std::size_t tests = 0;
        for (std::size_t i = 0; i < labs.size(); ++i) {
            const Json& suite = root.at("suites")[i];
            const Json& attributes = suite.at("attributes");
            CHECK(suite.at("tag") == "testsuite");
            CHECK(attributes.at("name") == labs[i].lab);
            CHECK(number_of(attributes, "tests") == suite.at("cases").size());
            CHECK(number_of(attributes, "failures") == cases_with(suite, "failure"));
            CHECK(number_of(attributes, "errors") == cases_with(suite, "error"));
            CHECK(number_of(attributes, "skipped") == cases_with(suite, "skipped"));
            tests += suite.at("cases").size();
        }
        CHECK(number_of(root.at("attributes"), "tests") == tests);
    }
}

TEST_CASE("junit: hostile names and messages come back as they were shown") {
    const TestClass all;
    const auto labs = labs_of_student(all, kHostile);
    const Json root = parsed_xml(junit_xml(labs));
    CHECK(root.at("attributes").at("name") == labs[0].student.id);
    const Json& cases = root.at("suites")[0].at("cases");
    REQUIRE(cases.size() == labs[0].tests.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
        CHECK(cases[i].at("attributes").at("name") == labs[0].tests[i].name);
}

TEST_CASE("junit: passed, failed, not built, waiting and not handed in") {
    const TestClass all;
    const auto suite_of = [&](const std::string& student) {
        return parsed_xml(junit_xml(labs_of_student(all, student))).at("suites")[0];
    };
    CHECK(cases_with(suite_of("lovelace"), "failure") == 0);
    CHECK(cases_with(suite_of("dijkstra"), "failure") > 0);
    CHECK(cases_with(suite_of("allen"), "error") == 1);
    CHECK(cases_with(suite_of("milner"), "error") == 1);
    for (const char* open : {"lamport", "gray", "wing"}) {
        const Json suite = suite_of(open);
        CHECK(suite.at("cases").size() == 1);
        CHECK(cases_with(suite, "skipped") == 1);
    }
}

TEST_CASE("junit: characters that XML 1.0 forbids are replaced") {
    CHECK(xml_escaped("a<b>&\"c\"\n\t") == "a&lt;b&gt;&amp;&quot;c&quot;&#10;&#9;");
    CHECK(xml_escaped(std::string_view("\x00\x1b\x7f", 3)) == "^@^[^?");
    CHECK(xml_escaped("\xFF\xC0\x80") == "???");
    CHECK(xml_escaped("\xEF\xBF\xBE\xEF\xBF\xBF") == "??");
    CHECK(xml_escaped("]]>") == "]]&gt;");
    CHECK(xml_escaped("\xF0\x9F\x98\x80") == "\xF0\x9F\x98\x80");
}
