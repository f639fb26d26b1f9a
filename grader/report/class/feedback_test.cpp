#include "report/class/feedback.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"
#include "report/class/feedback_html.h"
#include "report/class/feedback_markdown.h"
#include "report/class/test_class.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string html_of(const TestClass& one, const std::string& student) {
    return feedback_html(feedback_of(one.grades(), one.of(student)));
}
std::string markdown_of(const TestClass& one, const std::string& student) {
    return feedback_markdown(feedback_of(one.grades(), one.of(student)));
}

}  // namespace

TEST_CASE("feedback: failures with one cause are one, the first to fix first") {
    const TestClass one;
    const Feedback feedback = feedback_of(one.grades(), one.of("dijkstra"));
    const auto failures = feedback.failures();
    REQUIRE(failures.size() == 2);
    CHECK(failures[0].test->name == "launch_vector_add: up to 256 elements");
    REQUIRE(failures[0].same.size() == 1);
    CHECK(failures[0].same[0]->name == "launch_vector_add: any number of elements");
    CHECK(failures[1].test->name == "vector_add: there and back");
}

TEST_CASE("feedback: the failing line is marked, with its event and its neighbours") {
    const TestClass one;
    const std::string html = html_of(one, "liskov");
    CHECK_THAT(html, ContainsSubstring("<tr class='hit'><td>12</td><td>    c[i] = a[i] + b[i];"
                                       "</td></tr><tr class='note'><td></td><td>    ^ thread 100 "
                                       "of block 0 reads just past the end of a</td></tr>"));
    CHECK_THAT(html, ContainsSubstring("<td>10</td>"));
    CHECK_THAT(html, ContainsSubstring("In <code>launch_vector_add(n = 100)</code>."));
    CHECK(
        markdown_of(one, "liskov")
            .starts_with("# Lab 02: Vector add\n\nStudent: Barbara Liskov\n\n**Points: 0 / 10**"));
    CHECK_THAT(markdown_of(one, "liskov"),
               ContainsSubstring("12 |     c[i] = a[i] + b[i];\n       |            ^ thread 100"));
}

TEST_CASE("feedback: both lines of a race are marked") {
    const TestClass one;
    const LabGrade* race = nullptr;
    for (const LabGrade& grade : one.grades().grades)
        if (grade.student.id == "liskov" && grade.lab == "05-matmul-shared") race = &grade;
    REQUIRE(race != nullptr);
    const std::string html = feedback_html(feedback_of(one.grades(), *race));
    CHECK_THAT(html, ContainsSubstring("<tr class='hit'><td>21</td>"));
    CHECK_THAT(html, ContainsSubstring("<tr class='hit'><td>23</td>"));
    CHECK_THAT(html, ContainsSubstring("Data race. A __syncthreads() is missing"));
}

TEST_CASE("feedback: values, the wrong one marked") {
    const TestClass one;
    const std::string html = html_of(one, "dijkstra");
    CHECK_THAT(html, ContainsSubstring("1 of 100 elements of c is wrong."));
    CHECK_THAT(html, ContainsSubstring("<tr class='wrong'><td>99</td><td>1.0834394</td><td>-</td>"
                                       "<td>never written</td></tr>"));
    CHECK_THAT(html, ContainsSubstring("<td>94</td>"));
    CHECK_THAT(html, !ContainsSubstring("<td>93</td>"));  // six are enough
    CHECK_THAT(markdown_of(one, "dijkstra"), ContainsSubstring("expected"));
}

TEST_CASE("feedback: a speed test by counts names its parts and the cause") {
    const TestClass one;
    const std::string html = html_of(one, "turing");
    CHECK_THAT(html, ContainsSubstring("0.22x of the reference&#39;s speed; at least 0.45x is "
                                       "required."));
    CHECK_THAT(html, ContainsSubstring("L2 cache <span class='badge bad'>the cause</span>"));
    CHECK_THAT(html, ContainsSubstring("<td class='number'>488 us</td>"));
    CHECK_THAT(html, ContainsSubstring("the virtual GPU has no times"));
    CHECK_THAT(markdown_of(one, "turing"),
               ContainsSubstring("| L2 cache **(the cause)** | 488 us | 30.5 us | 34M sectors "
                                 "stored, 67M asked for |"));
}

TEST_CASE("feedback: a speed test by time has its interval and both medians") {
    const TestClass one;
    const std::string html = html_of(one, "cook");
    CHECK_THAT(html, ContainsSubstring("0.31x of the reference&#39;s speed, 95 % interval 0.30x "
                                       "to 0.33x; at least 0.45x is required. Medians: yours 452 "
                                       "us, the reference 140 us."));
    CHECK_THAT(html, ContainsSubstring("Judged on time, on a GPU"));
}

TEST_CASE("feedback: an inconclusive speed test costs nothing, and says so") {
    const TestClass one;
    const std::string html = html_of(one, "karp");
    CHECK_THAT(html, ContainsSubstring("<span class='badge notice'>inconclusive</span>"));
    CHECK_THAT(html, ContainsSubstring("The measurement cannot tell. It costs no points."));
}

TEST_CASE("feedback: what does not build shows the compiler's words alone") {
    const TestClass one;
    const std::string html = html_of(one, "allen");
    CHECK_THAT(html, ContainsSubstring("It does not build"));
    CHECK_THAT(html, ContainsSubstring("A ; is missing at the end of line 45."));
    CHECK_THAT(html, !ContainsSubstring("Fix this first"));
    CHECK_THAT(html_of(one, "hopper"), ContainsSubstring("Warnings of the compiler"));
}

TEST_CASE("feedback: lateness, manual points and comments") {
    const TestClass one;
    CHECK_THAT(html_of(one, "floyd"),
               ContainsSubstring("Handed in 26.5 hours late: 2 of 10 points are deducted."));
    const std::string html = html_of(one, "wirth");
    CHECK_THAT(html, ContainsSubstring("1.5 points by your instructor. The idea is right"));
    CHECK_THAT(html, ContainsSubstring("Come to my office hour."));
    CHECK_THAT(html, ContainsSubstring("<td class='number tight'>1.5 / 2</td>"));
    CHECK_THAT(markdown_of(one, "wirth"), ContainsSubstring("| 1.5 / 2 (by hand) |"));
    CHECK(lateness_text(0.25) == "15 minutes late");
    CHECK(lateness_text(0.001) == "1 minute late");
    CHECK(lateness_text(1) == "1 hour late");
    CHECK(lateness_text(60) == "2.5 days late");
}

TEST_CASE("feedback: our fault is never worded as the student's") {
    const TestClass one;
    const std::string html = html_of(one, "gray");
    CHECK_THAT(html, ContainsSubstring("<h1>Lab 02-vector-add</h1>"));
    CHECK_THAT(html, ContainsSubstring("not graded yet"));
    CHECK_THAT(html, ContainsSubstring("by no fault of yours"));
    CHECK_THAT(html, !ContainsSubstring("out of memory"));  // the instructor's to read
    CHECK_THAT(html_of(one, "lamport"), ContainsSubstring("not graded yet"));
    CHECK_THAT(html_of(one, "wing"), ContainsSubstring("Nothing was handed in"));
    CHECK_THAT(html_of(one, "milner"), ContainsSubstring("vector_add.cu is empty."));
}

TEST_CASE("feedback: attempts, and which one counts") {
    const TestClass one;
    CHECK_THAT(html_of(one, "turing"), ContainsSubstring("<b>counts</b>"));
    CHECK_THAT(html_of(one, "lovelace"), !ContainsSubstring("Your attempts"));
}

TEST_CASE("feedback: a lost result loses no points") {
    const TestClass one;
    Grades grades = one.grades();
    grades.grading = [](const std::string&, const std::string&) -> Grading {
        throw own_fault("gone");
    };
    const std::string html = feedback_html(feedback_of(grades, one.of("lovelace")));
    CHECK_THAT(html, ContainsSubstring("The details of this grading are no longer stored."));
    CHECK_THAT(html, ContainsSubstring("<b>10</b>"));
    CHECK_THAT(html, ContainsSubstring("vector_add: there and back"));
}

TEST_CASE("feedback: a source that is no longer the graded one is not shown") {
    const TestClass one;
    LabGrade grade = one.of("liskov");
    grade.attempts[0].attempt.file = one.of("lovelace").attempts[0].attempt.file;
    const std::string html = feedback_html(feedback_of(one.grades(), grade));
    CHECK_THAT(html, !ContainsSubstring("class='source'"));
    CHECK_THAT(html, ContainsSubstring("labs/02-vector-add/vector_add.cu:12: thread 100"));
}

TEST_CASE("feedback: hostile text does no harm anywhere, and long lines are cut") {
    const TestClass one;
    const std::string html = html_of(one, kHostile);
    CHECK(harm_in(html) == "");
    CHECK_THAT(html, ContainsSubstring("&lt;script&gt;document.title"));
    CHECK(html.find('\x1b') == std::string::npos);
    CHECK(html.find("\xE2\x80\xAE") == std::string::npos);
    CHECK(html.size() < 200'000);

    const std::string text = markdown_of(one, kHostile);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.size() < 100'000);
}

TEST_CASE("feedback: the search for harm finds harm") {
    CHECK(harm_in("<p>fine</p>") == "");
    CHECK(harm_in("<script>x</script>") != "");
    CHECK(harm_in("<img src=\"data:image/svg+xml;base64,AA\" onerror=x>") != "");
    CHECK(harm_in("<a href=\"javascript:x\">y</a>") != "");
}
