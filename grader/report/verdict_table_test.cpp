#include "report/verdict_table.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

TestResult test(const std::string& name, int task, Verdict verdict, double points = 2) {
    TestResult result;
    result.name = name;
    result.task = task;
    result.points = points;
    result.verdict = verdict;
    const bool earns = verdict == Verdict::pass || verdict == Verdict::inconclusive;
    result.earned = earns ? points : 0;
    return result;
}

Grading example() {
    Grading grading;
    grading.lab.name = "02-vector-add";
    grading.lab.title = "Vector add";
    grading.device.name = "virtual GPU";
    grading.built = true;
    grading.tasks = {{1, true, 10}, {2, true, 20}, {3, false, 30}};
    grading.checked.tests = {
        test("add: up to 256 elements", 1, Verdict::pass),
        test("add: any number", 2, Verdict::fail),
        test("add: there and back", 2, Verdict::fail),
        test("add: at least 0.45x the reference", 2, Verdict::not_run),
        test("add: frees all its memory", 3, Verdict::fail, 1),
        test("add: at least 0.3x the reference", 1, Verdict::inconclusive, 10),
    };
    grading.checked.tests[1].what = grading.checked.tests[2].what = "all wrong";
    return grading;
}

TextStyle wide(std::size_t width) {
    TextStyle style;
    style.width = width;
    return style;
}

}  // namespace

TEST_CASE("verdict table: a line a test, what is not begun is to do") {
    CHECK(joined(verdict_table(example(), wide(80))) ==
          "  ok     add: up to 256 elements                            2 / 2\n"
          "  FAIL   add: any number                                    0 / 2\n"
          "  FAIL   add: there and back                same cause?     0 / 2\n"
          "  -      add: at least 0.45x the reference  not run         0 / 2\n"
          "  to do  add: frees all its memory          task 3          0 / 1\n"
          "  ok?    add: at least 0.3x the reference   inconclusive  10 / 10\n");
}

TEST_CASE("verdict table: short, with one line for neighbours of one verdict") {
    Grading grading = example();
    grading.checked.tests = {
        test("add: one", 1, Verdict::pass),      test("add: two", 1, Verdict::pass),
        test("add: three", 1, Verdict::fail),    test("add: four", 1, Verdict::fail),
        test("sum: five", 1, Verdict::not_run),  test("sum: six", 1, Verdict::not_run),
        test("sum: seven", 1, Verdict::not_run), test("sum: eight", 1, Verdict::pass)};
    CHECK(joined(short_verdict_table(grading, wide(80))) ==
          "  ok     2 tests     4 / 4\n"
          "  FAIL   add: three  0 / 2\n"
          "  FAIL   add: four   0 / 2\n"
          "  -      3 tests     0 / 6\n"
          "  ok     sum: eight  2 / 2\n");
}

TEST_CASE("verdict table: names give way where the terminal is narrow") {
    CHECK(verdict_table(example(), wide(50)).at(3) ==
          "  -      add: at least 0...  not run         0 / 2");
}

TEST_CASE("verdict table: races show their ratio, and what it was judged on") {
    Grading grading = example();
    grading.checked.tests = {test("add: fast", 1, Verdict::pass),
                             test("sum: fast", 1, Verdict::fail),
                             test("print: fast", 1, Verdict::fail)};
    grading.checked.tests[0].speed = SpeedResult{true, "time", 0.45, 0.934, 0.9, 1};
    grading.checked.tests[1].speed = SpeedResult{false, "counts", 0.45, 0.2, 0.2, 0.2};
    // Fails for another reason than its speed.
    grading.checked.tests[2].speed = SpeedResult{false, "counts", 0.45, 0.99, 0.99, 0.99};
    CHECK(joined(verdict_table(grading, wide(80))) ==
          "  ok     add: fast    0.93x            2 / 2\n"
          "  FAIL   sum: fast    0.20x by counts  0 / 2\n"
          "  FAIL   print: fast                   0 / 2\n");
}

TEST_CASE("verdict table: the heading, with a title that gives way") {
    Grading grading = example();
    CHECK(heading_line(grading, wide(80)) == "Lab 02  Vector add    12 / 19 points    virtual GPU");
    CHECK(heading_line(grading, wide(46)) == "Lab 02  Ve...    12 / 19 points    virtual GPU");
    grading.built = false;
    CHECK(heading_line(grading, wide(80)) == "Lab 02  Vector add    does not build    virtual GPU");
}

TEST_CASE(
    "verdict table: one cause is one diagnosis, one finding in the same lines, or one event") {
    TestResult one = test("a", 1, Verdict::fail), other = test("b", 1, Verdict::fail);
    CHECK_FALSE(has_same_cause(one, other));
    one.diagnosis = other.diagnosis = "Only block 0 is right.";
    CHECK(has_same_cause(one, other));
    other.diagnosis = "Another.";
    one.finding = other.finding = "race";
    CHECK_FALSE(has_same_cause(one, other));
    one.places = other.places = {{{"a.cu", 5}, "x", ""}, {{"a.cu", 7}, "y", ""}};
    other.places[0].label = "another thread";
    CHECK(has_same_cause(one, other));
    other.places[1].place.line = 8;
    CHECK_FALSE(has_same_cause(one, other));
    other.finding = "";
    one.what = other.what = "segmentation fault";
    CHECK(has_same_cause(one, other));
    other.verdict = Verdict::pass;
    CHECK_FALSE(has_same_cause(one, other));
}

TEST_CASE("verdict table: names of tests and devices cannot move the cursor") {
    Grading grading = example();
    grading.lab.title = grading.device.name = grading.checked.tests[0].name = "\x1b[2J\n";
    CHECK(heading_line(grading, wide(80)).find("^[[2J^J    12") != std::string::npos);
    CHECK(verdict_table(grading, wide(80)).at(0).starts_with("  ok     ^[[2J^J "));
}
