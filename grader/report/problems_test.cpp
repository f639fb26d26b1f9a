#include "report/problems.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

Grading graded_file() {
    Grading grading;
    grading.submission.shown = "labs/02-vector-add/vector_add.cu";
    return grading;
}

TestResult failed_test(const std::string& name, const std::string& message) {
    TestResult test;
    test.name = name;
    test.verdict = Verdict::fail;
    test.message = message;
    return test;
}

}  // namespace

TEST_CASE("problems: what nvcc and its host compiler say, at their lines") {
    Grading grading = graded_file();
    grading.build_message =
        "labs/02-vector-add/vector_add.cu(21): error: identifier \"threadidx\" is undefined\n"
        "      int i = threadidx.x;\n"
        "              ^\n\n"
        "labs/02-vector-add/vector_add.cu(30): warning #177-D: variable \"k\" was declared but "
        "never referenced\n"
        "labs/02-vector-add/vector_add.cu:3:10: fatal error: nowhere.h: No such file or "
        "directory\n"
        "1 error detected in the compilation of \"labs/02-vector-add/vector_add.cu\".\n";
    CHECK(problem_lines(grading) ==
          "labs/02-vector-add/vector_add.cu:21:1: error: identifier \"threadidx\" is undefined\n"
          "labs/02-vector-add/vector_add.cu:30:1: warning: variable \"k\" was declared but never "
          "referenced\n"
          "labs/02-vector-add/vector_add.cu:3:10: error: nowhere.h: No such file or directory\n");
}

TEST_CASE("problems: failed tests at the lines that they name") {
    Grading grading = graded_file();
    grading.built = true;
    TestResult first = failed_test("add: right", "c[1000]\n    expected  3\n    got       0");
    first.diagnosis = "Thread 1000 has no element.";
    first.place = Place{"vector_add.cu", 24};
    TestResult second = failed_test("add: n = 0", "crashed\n  in a line");
    second.place = Place{"/usr/include/vector", 9};
    TestResult passed = first;
    passed.verdict = Verdict::pass;
    grading.checked.tests = {failed_test("add: speed", "too slow"), first, second, passed};
    CHECK(problem_lines(grading) ==
          "labs/02-vector-add/vector_add.cu:24:1: error: Thread 1000 has no element. "
          "[add: right]\n"
          "/usr/include/vector:9:1: error: crashed in a line [add: n = 0]\n");
}

TEST_CASE("problems: without any place, the first failed test at the top of the file") {
    Grading grading = graded_file();
    grading.checked.tests = {failed_test("add: right", "wrong"), failed_test("add: speed", "slow")};
    CHECK(problem_lines(grading) ==
          "labs/02-vector-add/vector_add.cu:1:1: error: wrong [add: right]\n");
    grading.checked.tests.clear();
    CHECK(problem_lines(grading).empty());
}
