#include "report/class/similar_pairs_html.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "report/class/instructor.h"
#include "report/class/test_class.h"
#include "report/class/write_reports.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

LabSimilarity some_pairs(const TestClass& all, const std::vector<int>& percents) {
    LabSimilarity lab;
    lab.lab = "02-vector-add";
    lab.compared = 20;
    lab.median_percent = 41.5;
    for (const int percent : percents)
        lab.pairs.push_back({&all.of(kHostile), &all.of("lovelace"), percent, percent, 90, 120});
    return lab;
}

}  // namespace

TEST_CASE("similar pairs: only notable ones, with what is usual in the lab, and no accusation") {
    const TestClass all;
    const std::string html = similar_pairs_html({some_pairs(all, {100, 80, 79})}).markup();
    CHECK_THAT(html, ContainsSubstring("<h3>02-vector-add (2)</h3>"));
    CHECK_THAT(html, ContainsSubstring("Similar is no proof."));
    CHECK_THAT(html, ContainsSubstring("Half of their pairs have 41.5 % or more in common."));
    CHECK_THAT(html, ContainsSubstring("<a href=\"feedback/lovelace/02-vector-add.html\">"));
    CHECK_THAT(html, ContainsSubstring(">100 %<"));
    CHECK_THAT(html, !ContainsSubstring(">79 %<"));
    CHECK(harm_in(html) == "");
}

TEST_CASE("similar pairs: a long list is cut, and says so") {
    const TestClass all;
    const std::string html =
        similar_pairs_html({some_pairs(all, std::vector<int>(35, 90))}).markup();
    CHECK_THAT(html, ContainsSubstring("5 more are in similarity.csv."));
}

TEST_CASE("similar pairs: a lab that nobody has begun has no section") {
    CHECK(similar_pairs_html({}).empty());
    LabSimilarity none;
    none.lab = "02-vector-add";
    CHECK(similar_pairs_html({none}).empty());
}

TEST_CASE("similar pairs: they are on the page and in a table only when asked for") {
    const TestClass all;
    Project project;
    project.root = LAB_TEST_ROOT;
    const TemporaryFolder with, without;
    const ReportKinds kinds = {
        .gradebook = false, .feedback = false, .similarity = {some_pairs(all, {90})}};
    write_reports(project, all.grades(), with.path(), kinds);
    write_reports(project, all.grades(), without.path(), {.gradebook = false, .feedback = false});
    const std::string heading = "<h2>Similar submissions</h2>";
    CHECK_THAT(read_file(with.path() / "instructor.html"), ContainsSubstring(heading));
    CHECK(harm_in(read_file(with.path() / "instructor.html")) == "");
    CHECK(fs::exists(with.path() / "similarity.csv"));
    CHECK_THAT(read_file(without.path() / "instructor.html"), !ContainsSubstring(heading));
    CHECK_FALSE(fs::exists(without.path() / "similarity.csv"));
}
