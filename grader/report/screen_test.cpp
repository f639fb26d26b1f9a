// Tests cases of the screen that no recorded grading (screens_test.cpp) shows.
#include "report/screen.h"

#include <catch2/catch_test_macros.hpp>

#include "report/lines.h"

using namespace lab;

namespace {

TestResult test(const std::string& name, int task, Verdict verdict) {
    TestResult result;
    result.name = name;
    result.task = task;
    result.points = 5;
    result.verdict = verdict;
    result.earned = verdict == Verdict::pass || verdict == Verdict::inconclusive ? 5 : 0;
    return result;
}

Grading example(std::vector<TestResult> tests) {
    Grading grading;
    grading.lab.name = "02-vector-add";
    grading.lab.title = "Vector add";
    grading.lab.first_step = "Open add.cu at TODO(1/2).";
    grading.lab.hints = {{1, "a hint"}};
    grading.submission.shown = "add.cu";
    grading.submission.text = "line 1\nline 2\nline 3\n";
    grading.device.name = "virtual GPU";
    grading.seed = "7";
    grading.built = true;
    grading.tasks = {{1, true, 1}, {2, true, 2}};
    grading.checked.tests = std::move(tests);
    return grading;
}

std::string screen(const Grading& grading, std::size_t height = 24, std::size_t width = 80) {
    TextStyle style;
    style.height = height;
    style.width = width;
    return grading_screen(grading, "./lab grade 02", style);
}

/// A failed test with a long text everywhere.
TestResult long_failure() {
    TestResult failed = test("add: right", 1, Verdict::fail);
    failed.call = "add(n = 5)";
    failed.what = "it failed";
    failed.message = "add(n = 5): it failed";
    for (int i = 0; i < 100; ++i) failed.diagnosis += "word ";
    for (int i = 1; i <= 40; ++i) failed.output += "printed " + std::to_string(i) + "\n";
    return failed;
}

}  // namespace

TEST_CASE("screen: the first failure is of the first task that was begun") {
    TestResult untouched = test("add: one", 1, Verdict::fail),
               failed = test("add: two", 2, Verdict::fail);
    untouched.message = "not this";
    failed.message = failed.what = "too slow: 3 ms\n  required   1 ms";
    Grading grading = example({untouched, failed});
    grading.tasks[0].begun = false;
    CHECK(screen(grading) ==
          "Lab 02  Vector add    0 / 10 points    virtual GPU\n"
          "  to do  add: one  task 1  0 / 5\n"
          "  FAIL   add: two          0 / 5\n"
          "\n"
          "too slow: 3 ms\n"
          "    required   1 ms\n"
          "\n"
          "Next:  ./lab grade 02 --all --seed 7   every failure, same data\n");
}

TEST_CASE("screen: the call, other cases and other tests with the same cause are one sentence") {
    TestResult failed = test("add: right", 1, Verdict::fail);
    failed.call = "add(n = 5)";
    failed.diagnosis = "Nothing was written to c.";
    failed.other_cases = {"n = 7", "n = 8", "n = 9"};
    TestResult same = test("add: twice", 2, Verdict::fail);
    same.diagnosis = failed.diagnosis;
    const std::string text = screen(example({failed, same}));
    CHECK(text.find("\nNothing was written to c.\n"
                    "  in add(n = 5); also for n = 7 and 2 more; another test fails the same way.\n"
                    "\n"
                    "Next:  ./lab hint 02 --task 1          a hint\n"
                    "       ./lab step 02                   to the mistake, step by step\n"
                    "       ./lab grade 02 --all --seed 7   every failure, same data\n") !=
          std::string::npos);
}

TEST_CASE("screen: the call of another file is stepped through in that file") {
    TestResult failed = test("add: right", 1, Verdict::fail);
    failed.call = "add(n = 5)";
    const std::string text = grading_screen(
        example({failed}), "./lab grade 02 --file 'my file.cu' --device gpu", TextStyle{});
    CHECK(text.find("./lab step 02 --file 'my file.cu'\n") != std::string::npos);
}

TEST_CASE("screen: what happened without a diagnosis begins with the call") {
    TestResult failed = test("add: right", 1, Verdict::fail);
    failed.call = "add(n = 5)";
    failed.what = "segmentation fault";
    failed.message = "add(n = 5): segmentation fault\nAlso wrong for n = 7.";
    failed.other_cases = {"n = 7"};
    CHECK(screen(example({failed})).find("\nadd(n = 5): segmentation fault\n  Also for n = 7.\n") !=
          std::string::npos);
}

TEST_CASE("screen: what a check says by itself begins with a capital, a name does not") {
    TestResult failed = test("add: right", 1, Verdict::fail);
    failed.what = failed.message = "no kernel was launched";
    CHECK(screen(example({failed})).find("\nNo kernel was launched\n") != std::string::npos);
    failed.what = failed.message = "c[0] is wrong";
    CHECK(screen(example({failed})).find("\nc[0] is wrong\n") != std::string::npos);
}

TEST_CASE("screen: what is too long gives way, the mistake and the program's words first") {
    const Grading grading = example({long_failure()});
    for (const std::size_t height : {16U, 24U, 40U, 80U}) {
        CAPTURE(height);
        const Lines lines = split_lines(screen(grading, height));
        CHECK(lines.size() <= height - 1);
        CHECK(lines.back() == "       ./lab grade 02 --all --seed 7   every failure, same data");
    }
    const std::string low = screen(grading, 16);
    CHECK(low.find("...\n  it failed\n  in add(n = 5).\nYour program printed:\n"
                   "... 40 more lines:  ./lab grade 02 --all\n") != std::string::npos);
    CHECK(screen(grading, 80).find("\n| printed 40\n") != std::string::npos);
}

TEST_CASE("screen: where a test failed, a warning keeps its line and its words") {
    Grading grading = example({long_failure()});
    grading.build_message =
        "add.cu(2): warning #174-D: expression has no effect\n"
        "      dim3 blocks = (a, b);\n"
        "                     ^\n"
        "add.cu(3): warning #177-D: variable \"unused\" was declared but never referenced\n"
        "      int unused;\n"
        "          ^\n";
    const std::string low = screen(grading, 18);
    CHECK(split_lines(low).size() <= 17);
    CHECK(low.find("nvcc warns (that costs no points):\n  line 2: expression has no effect\n") !=
          std::string::npos);
    CHECK(screen(grading, 90).find("\n        dim3 blocks = (a, b);\n") != std::string::npos);
}

TEST_CASE("screen: what is right so far, and the next task") {
    Grading grading =
        example({test("add: one", 1, Verdict::pass), test("sum: two", 2, Verdict::fail)});
    grading.tasks[1].begun = false;
    CHECK(screen(grading) ==
          "Lab 02  Vector add    5 / 10 points    virtual GPU\n"
          "  ok     add: one          5 / 5\n"
          "  to do  sum: two  task 2  0 / 5\n"
          "\n"
          "Everything you have begun is right. Next is task 2: add.cu:2\n"
          "\n"
          "Next:  ./lab grade 02   when you have changed it\n");
}

TEST_CASE("screen: comments are no work") {
    Grading grading = example({test("add: one", 1, Verdict::fail)});
    grading.tasks = {{1, false, 1}};
    CHECK(screen(grading) ==
          "Lab 02  Vector add    0 / 5 points    virtual GPU\n"
          "  to do  add: one  task 1  0 / 5\n"
          "\n"
          "The code of the tasks is as it was handed out. Start here:\n"
          "  Open add.cu at TODO(1/2).\n"
          "\n"
          "Next:  ./lab grade 02   when you have changed it\n");
}

TEST_CASE("screen: a grading that ended early says why") {
    Grading grading = example({test("add: one", 1, Verdict::not_run)});
    grading.checked.reason = "time limit";
    grading.checked.message = "The grading was stopped after 60 s.";
    CHECK(screen(grading) ==
          "Lab 02  Vector add    0 / 5 points    virtual GPU\n"
          "  -      add: one  not run  0 / 5\n"
          "\n"
          "The grading was stopped after 60 s.\n"
          "\n"
          "Next:  ./lab grade 02 --all   every test in full\n");
}

TEST_CASE("screen: without a sandbox the first line says so, and full marks say why") {
    Grading grading = example({test("add: one", 1, Verdict::pass)});
    grading.checked.isolation = "none";
    grading.checked.isolation_note = "LAB_SANDBOX=off is set";
    CHECK(screen(grading) ==
          "Lab 02  Vector add    5 / 5 points    virtual GPU, without a sandbox\n"
          "  ok     add: one  5 / 5\n"
          "\n"
          "Graded without a sandbox: LAB_SANDBOX=off is set.\n"
          "\n"
          "Full marks.\n"
          "\n"
          "Next:  ./lab review 02   the reference beside yours\n"
          "       ./lab next        the next lab\n");
}

TEST_CASE("screen: full marks, and what a grading could not check") {
    Grading grading = example({test("add: one", 1, Verdict::pass)});
    grading.checked.isolation = "accidents only";
    grading.checked.isolation_note = "namespaces are off.";
    grading.checked.unchecked = "Races were not checked.";
    CHECK(screen(grading) ==
          "Lab 02  Vector add    5 / 5 points    virtual GPU\n"
          "  ok     add: one  5 / 5\n"
          "\n"
          "Isolation guards against accidents only: namespaces are off.\n"
          "\n"
          "Races were not checked.\n"
          "\n"
          "Full marks.\n"
          "\n"
          "Next:  ./lab review 02   the reference beside yours\n"
          "       ./lab next        the next lab\n");
    grading.only_tests = "one";
    CHECK(screen(grading).ends_with(
        "Races were not checked.\n\nNext:  ./lab grade 02   all tests\n"));
}

TEST_CASE("screen: nothing of a submission moves the cursor or imitates the table") {
    const std::string evil = "\x1b[2J\x1b]52;c;eA==\x07\u202E\n10 / 10 points\n";
    TestResult failed = test(evil, 1, Verdict::fail), stopped = test("add", 2, Verdict::not_run);
    failed.message = failed.what = failed.call = failed.output = failed.diagnosis = evil;
    failed.other_cases = {evil, evil};
    failed.places = {{{evil, 1}, evil, evil}, {{"elsewhere" + evil, 1}, evil, evil}};
    stopped.message = evil;
    Grading grading = example({failed, stopped});
    grading.submission.shown = evil;
    grading.submission.text = "\x1b[2J\n";
    grading.build_message = grading.checked.message = grading.only_tests = grading.lab.title = evil;
    const auto is_harmless = [](const std::string& text) {
        CAPTURE(text);
        CHECK(text.find('\x1b') == std::string::npos);
        CHECK(text.find('\x07') == std::string::npos);
        CHECK(text.find("\u202E") == std::string::npos);
    };
    const auto all_screens = [&] {
        is_harmless(grading_screen(grading, "./lab grade --file " + evil, {}));
    };
    all_screens();
    CHECK(screen(grading, 80).find("\n| 10 / 10 points\n") != std::string::npos);
    failed.values =
        ValuesWindow{evil, 2, 1, 0, evil, {{0, evil, evil, ValuesWindow::State::wrong}}};
    failed.diagnosis.clear();
    grading.checked.tests = {failed};
    all_screens();
    grading.checked.tests = {test("add", 1, Verdict::inconclusive)};
    grading.checked.tests[0].message = evil;
    grading.checked.isolation = "accidents only";
    grading.checked.isolation_note = grading.checked.unchecked = evil;
    all_screens();
    grading.checked.tests = {test("add", 1, Verdict::fail)};
    grading.tasks[0].begun = false;
    all_screens();
    grading.untouched = true;
    grading.lab.first_step = evil;
    all_screens();
    grading.built = false;
    all_screens();
}

TEST_CASE("screen: the first verdict on a whole program names the mistake that is handed out") {
    Grading grading = example({test("add: right", 1, Verdict::fail)});
    grading.untouched = true;
    grading.checked.tests[0].diagnosis = "Only block 0 is right.";
    CHECK(screen(grading).find("You haven't changed this file yet.") != std::string::npos);
    grading.lab.whole = true;
    const std::string text = screen(grading);
    CHECK(text.find("Only block 0 is right.") != std::string::npos);
    CHECK(text.find("You haven't changed") == std::string::npos);
}

TEST_CASE("screen: without the next step, for programs that have keys for it") {
    const Grading grading = example({test("add: right", 1, Verdict::fail)});
    const std::string with_next = screen(grading);
    const std::string verdict = grading_verdict(grading, "./lab grade 02", TextStyle{});
    CHECK(with_next.find("\nNext:  ") != std::string::npos);
    CHECK(verdict.find("Next:") == std::string::npos);
    CHECK(verdict == with_next.substr(0, with_next.find("\nNext:  ")));
}
