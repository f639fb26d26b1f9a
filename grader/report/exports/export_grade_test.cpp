#include "report/exports/export_grade.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "base/utf8.h"
#include "base/visible.h"
#include "report/class/test_class.h"

using namespace lab;
using Catch::Approx;

namespace {

double sum_of(const std::vector<ExportTest>& tests) {
    return std::accumulate(tests.begin(), tests.end(), 0.0,
                           [](double sum, const ExportTest& test) { return sum + test.earned; });
}

}  // namespace

TEST_CASE("export: tests add up to the points of every student, late or marked by hand") {
    const TestClass all;
    std::size_t checked = 0;
    for (const LabGrade& grade : all.grades().grades) {
        const ExportGrade one = export_grade(all.grades(), grade);
        if (one.is_open) continue;
        INFO(one.student.id);
        CHECK(sum_of(tests_adding_up(one)) == Approx(one.points));
        ++checked;
    }
    CHECK(checked > 20);
}

TEST_CASE("export: what lateness takes comes off the last tests, and says so") {
    const TestClass all;
    const ExportGrade late = export_grade(all.grades(), all.of("floyd"));
    CHECK(sum_of(late.tests) == Approx(10));
    const auto tests = tests_adding_up(late);
    REQUIRE(tests.size() == late.tests.size());
    CHECK(tests.front().earned == late.tests.front().earned);
    CHECK(tests.back().message.ends_with("points are deducted here, for lateness or by hand."));
    REQUIRE_FALSE(late.remarks.empty());
    CHECK(late.remarks[0] == "Handed in 26.5 hours late: 2 of 10 points are deducted.");
}

TEST_CASE("export: points by hand replace those of their test, and those of the lab are added") {
    const TestClass all;
    LabGrade grade = all.of("wirth");
    const ExportGrade marked = export_grade(all.grades(), grade);
    bool found = false;
    for (const ExportTest& test : marked.tests) {
        if (test.name != "vector_add: there and back") continue;
        found = true;
        CHECK(test.earned == 1.5);
        CHECK(test.message.ends_with("Instructor: The idea is right; see my note in line 12."));
    }
    CHECK(found);
    CHECK(marked.remarks.back() == "Instructor: Come to my office hour.");

    grade.marks = {{"wirth", grade.lab, "", 9, "", "2026-11-26T09:00:00Z"}};
    grade.points = 9;
    const ExportGrade by_hand = export_grade(all.grades(), grade);
    const auto tests = tests_adding_up(by_hand);
    CHECK(tests.back().name == "Points given by hand");
    CHECK(tests.back().points == 0);
    CHECK(sum_of(tests) == Approx(9));
}

TEST_CASE("export: a submission that did not run has the lab's tests, with no points") {
    const TestClass all;
    const ExportGrade broken = export_grade(all.grades(), all.of("allen"));
    const ExportGrade right = export_grade(all.grades(), all.of("lovelace"));
    REQUIRE(broken.tests.size() == right.tests.size());
    for (const ExportTest& test : broken.tests) {
        CHECK(test.earned == 0);
        CHECK(test.verdict == Verdict::not_run);
    }
    CHECK(feedback_text(right) == "All tests passed.");
    CHECK(overview_text(broken).find("Your file does not build, so no test ran.") !=
          std::string::npos);
    CHECK_FALSE(broken.build_message.empty());
    CHECK(broken.tests[0].message == "Not run.");
    CHECK(feedback_text(broken) == overview_text(broken));
}

TEST_CASE("export: every text of a hostile submission is short UTF-8 without control characters") {
    const TestClass all;
    LabGrade grade = all.of(kHostile);
    grade.student.name = "\xFF\xFE\x01 \xE2\x80\xAE";
    grade.marks = {{kHostile, grade.lab, "", std::nullopt,
                    std::string(8180, 'a') + "\xE5\xA7\x9A\xE5\xA7\x9A\xE5\xA7\x9A\xE5\xA7\x9A",
                    ""}};
    const ExportGrade one = export_grade(all.grades(), grade);
    std::vector<std::string> texts = {one.student.id, one.student.name, one.lab, one.title,
                                      one.build_message};
    texts.insert(texts.end(), one.remarks.begin(), one.remarks.end());
    for (const ExportTest& test : one.tests)
        texts.insert(texts.end(), {test.name, test.message, test.file});
    for (const std::string& text : texts) {
        CHECK(text.size() <= 8192);
        CHECK(visible(text) == text);
    }
    CHECK(one.student.name == "??^A ?");
    CHECK(one.remarks.back().ends_with("\n... (cut)"));
}
