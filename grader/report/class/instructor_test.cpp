#include "report/class/instructor.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "report/class/test_class.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;

namespace {

Project this_project() {
    Project project;
    project.root = LAB_TEST_ROOT;
    return project;
}

/// Hides gnuplot for as long as it lives.
class NoGnuplot {
public:
    explicit NoGnuplot(const fs::path& folder) : path_(std::getenv("PATH")) {
        write_atomically(folder / "gnuplot", "#!/bin/sh\nexit 127\n");
        fs::permissions(folder / "gnuplot", fs::perms::owner_all);
        setenv("PATH", (folder.string() + ":" + path_).c_str(), 1);
    }
    ~NoGnuplot() { setenv("PATH", path_.c_str(), 1); }
    NoGnuplot(const NoGnuplot&) = delete;
    NoGnuplot& operator=(const NoGnuplot&) = delete;

private:
    std::string path_;
};

}  // namespace

TEST_CASE("instructor: what needs a decision comes first, with links to the students' pages") {
    const TestClass one;
    const std::string page = instructor_html(this_project(), one.grades());
    CHECK_THAT(page, ContainsSubstring("<h3>Needs a human (1)</h3>"));
    CHECK_THAT(page, ContainsSubstring("<a href=\"feedback/gray/02-vector-add.html\"><bdi>Jim "
                                       "Gray</bdi></a>"));
    CHECK_THAT(page, ContainsSubstring("The checker was killed three times"));
    CHECK_THAT(page, ContainsSubstring("roster.csv has no student &quot;hopper_1906&quot;"));
    CHECK(page.find("Needs a human (1)") < page.find("What to teach next week"));
}

TEST_CASE("instructor: the class in numbers, and what a newer grader changed") {
    const TestClass one;
    const std::string page = instructor_html(this_project(), one.grades());
    CHECK_THAT(page, ContainsSubstring("23 handed in, 5 with full marks; of 10 points: median 8"));
    CHECK_THAT(page, ContainsSubstring("Changed by the newer grader"));
    CHECK_THAT(page, ContainsSubstring("<td class='number'>0</td><td class='number'>2</td>"));
    CHECK_THAT(page, ContainsSubstring(">needs a human</a>"));
}

TEST_CASE("instructor: without gnuplot there are tables in place of plots") {
    const TemporaryFolder folder;
    const TestClass one;
    const NoGnuplot hidden(folder.path());
    const std::string page = instructor_html(this_project(), one.grades());
    CHECK_THAT(page, !ContainsSubstring("<img"));
    CHECK_THAT(page, ContainsSubstring("<td class='tight'>9 to 10</td>"));
    CHECK_THAT(page, ContainsSubstring("<td class='tight'>10</td>"));
    CHECK_THAT(page, ContainsSubstring("times the reference&#39;s speed"));
}

TEST_CASE("instructor: a class of nobody has a page") {
    const std::string page = instructor_html(this_project(), Grades{});
    CHECK_THAT(page, ContainsSubstring("<b>0</b>students"));
    CHECK_THAT(page, !ContainsSubstring("For you to look at"));
}

TEST_CASE("instructor: long lists are folded") {
    Grades grades;
    grades.labs = {"02-vector-add"};
    for (int i = 0; i < 40; ++i) {
        LabGrade grade;
        grade.student.id = "s" + std::to_string(i);
        grade.lab = "02-vector-add";
        grade.attempts.resize(1);
        grade.attempts[0].attempt.student = grade.student.id;
        grade.counts = 0;
        grades.grades.push_back(grade);
    }
    const std::string page = instructor_html(this_project(), grades);
    CHECK_THAT(page, ContainsSubstring("Waiting (40)"));
    CHECK_THAT(page, ContainsSubstring("<details><summary>Show them</summary>"));
}
