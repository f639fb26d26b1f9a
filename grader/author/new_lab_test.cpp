// Tests the names that `lab dev new` rejects, and the files that it writes.
// grader/tests/new_lab_test.cpp grades its result.

#include "author/new_lab.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "base/failure.h"
#include "base/files.h"
#include "core/course/lab.h"
#include "core/course/skeleton.h"

using namespace lab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

struct Course {
    TemporaryFolder folder;
    Project project;

    Course() {
        project.root = folder.path();
        fs::create_directories(project.root / "grader/author");
        fs::copy(fs::path(LAB_TEST_ROOT) / "grader/author/templates",
                 project.root / "grader/author/templates", fs::copy_options::recursive);
        write_atomically(project.root / "CMakeLists.txt", "add_lab(01-first)\nadd_lab(20-last)\n");
        write_atomically(project.root / "labs/01-first/lab.toml", "");
        write_atomically(project.root / "labs/20-last/lab.toml", "");
    }
    void refuses(const std::string& name, const std::string& title, const std::string& why) const {
        CHECK_THROWS_MATCHES(make_lab(project, name, title), Failure,
                             MessageMatches(ContainsSubstring(why)));
        CHECK(read_file(project.root / "CMakeLists.txt") ==
              "add_lab(01-first)\nadd_lab(20-last)\n");
        CHECK(list_labs(project).size() == 2);
    }
};

}  // namespace

TEST_CASE("new lab: names and titles that are refused, before anything is written") {
    const Course course;
    for (const char* name : {"11_topic", "7-topic", "topic", "11-Topic", "11-", "11-a--b", "00-x",
                             "11-to pic", "11-9lives", "../11-x", "011-x"})
        course.refuses(name, "Title", "is no name for a lab");
    course.refuses("20-other", "Title", "There is a lab 20 already: 20-last.");
    course.refuses("11-first", "Title", "There is a lab of that topic already: 01-first.");
    course.refuses("11-topic", "", "The title is a few words without quotes");
    course.refuses("11-topic", "a \"b\"", "The title is a few words without quotes");
}

TEST_CASE("new lab: a leftover of it is not overwritten") {
    const Course course;
    write_atomically(course.project.root / "solutions/11-topic/mine.cu", "mine");
    CHECK_THROWS_MATCHES(make_lab(course.project, "11-topic", "Title"), Failure,
                         MessageMatches(ContainsSubstring("solutions/11-topic is there already")));
}

TEST_CASE("new lab: two folders, one line, and nothing of the template's names left") {
    const Course course;
    const Project& project = course.project;
    const NewLab made = make_lab(project, "11-some-topic", "Some topic");
    CHECK(made.topic == "some_topic");
    CHECK(read_file(project.root / "CMakeLists.txt") ==
          "add_lab(01-first)\nadd_lab(11-some-topic)\nadd_lab(20-last)\n");
    const Lab lab = read_lab(project, "11-some-topic");
    CHECK(lab.title == "Some topic");
    CHECK(lab.needs == std::vector<std::string>{"01-first"});
    CHECK(read_file(project.root / lab.file()) == skeleton_of(project, lab));
    for (const fs::path& file : made.files) {
        INFO(file.string());
        CHECK(read_file(project.root / file).find("NEW_") == std::string::npos);
    }
    for (const char* file :
         {"labs/11-some-topic/README.md", "labs/11-some-topic/some_topic.h",
          "labs/11-some-topic/grader/grader.cpp", "labs/11-some-topic/figures/elements.gp",
          "solutions/11-some-topic/some_topic.cu", "solutions/11-some-topic/baseline.cu",
          "solutions/11-some-topic/wrong/no-tail-guard.cu",
          "solutions/11-some-topic/also-right/grid-stride.cu"})
        CHECK(fs::exists(project.root / file));
}

TEST_CASE("new lab: the line goes after the labs with smaller numbers") {
    CHECK(with_lab_added("x\nadd_lab(02-b)\n\ny\n", "01-a") ==
          "x\nadd_lab(01-a)\nadd_lab(02-b)\n\ny\n");
    CHECK(with_lab_added("x\nadd_lab(02-b)\n\ny\n", "03-c") ==
          "x\nadd_lab(02-b)\nadd_lab(03-c)\n\ny\n");
    CHECK_THROWS_AS(with_lab_added("x\n", "01-a"), Failure);
}
