#include "report/text.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

TestResult test(const char* name, int earned, int points, Verdict verdict) {
    TestResult result;
    result.name = name;
    result.task = 1;
    result.points = points;
    result.earned = earned;
    result.verdict = verdict;
    return result;
}

Grading example() {
    Grading grading;
    grading.lab.name = "02-vector-add";
    grading.lab.title = "Vector add";
    grading.lab.topic = "vector_add";
    grading.lab.first_step = "Open vector_add.cu at TODO(1/3).";
    grading.lab.hints = {{1, "a hint"}};
    grading.submission.shown = "labs/02-vector-add/vector_add.cu";
    grading.seed = "7";
    grading.built = true;
    return grading;
}

constexpr const char* kCommand = "./lab grade 02";

}  // namespace

TEST_CASE("text: the device line says why") {
    const Device device{DeviceKind::vgpu, "virtual GPU", "", "this machine has no NVIDIA driver"};
    CHECK(device_line(device, {}) == "Device: virtual GPU (this machine has no NVIDIA driver)\n");
}

TEST_CASE("text: table, first failures, and the commands to run next") {
    Grading grading = example();
    TestResult failed = test("add: every element is right", 0, 4, Verdict::fail);
    failed.place = Place{"labs/02-vector-add/vector_add.cu", 17};
    failed.message = "n = 257: element 256 is wrong\n    expected  1.5\n    got       0";
    failed.diagnosis = "Only block 0 is right: blockIdx is missing from the index.";
    failed.seconds = 0.26;
    TestResult waiting = test("add: fast", 0, 3, Verdict::not_run);
    waiting.message = "It needs \"add: every element is right\" to pass first.";
    TestResult waiting_too = test("add: no leak", 0, 1, Verdict::not_run);
    waiting_too.message = waiting.message;
    TestResult passed = test("add: n = 0", 2, 2, Verdict::pass);
    passed.seconds = 0.05;
    grading.checked.tests = {failed, waiting, passed, waiting_too};
    CHECK(grading_text(grading, kCommand, {}) ==
          R"(Lab 02: Vector add, labs/02-vector-add/vector_add.cu

    0 / 4   FAIL      add: every element is right (0.3 s)
    0 / 3   not run   add: fast
    2 / 2   pass      add: n = 0
    0 / 1   not run   add: no leak
  ----------------
    2 /10   points

FAIL  add: every element is right
      labs/02-vector-add/vector_add.cu:17
      n = 257: element 256 is wrong
          expected  1.5
          got       0
      Only block 0 is right: blockIdx is missing from the index.

      Hint    ./lab hint 02 1
      Again   ./lab grade 02 --test "add: every element is right" --seed 7

not run  add: fast
not run  add: no leak
      It needs "add: every element is right" to pass first.
)");
}

TEST_CASE("text: long prose in messages is wrapped, tables are not; several failures say so") {
    Grading grading = example();
    TestResult failed = test("add: right", 0, 1, Verdict::fail);
    failed.task = 9;
    failed.message =
        "f(n = 1000): the kernel reads 4 bytes just past the end of a (n = 1000 floats) at "
        "a.cu:12\n"
        "  expected  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29";
    grading.checked.tests = {failed, failed};
    const std::string one = R"(
FAIL  add: right
      f(n = 1000): the kernel reads 4 bytes just past the end of a (n = 1000 floats) at
      a.cu:12
        expected  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29

      Again   ./lab grade 02 --test "add: right" --seed 7
)";
    const std::string text = grading_text(grading, kCommand, {});
    CHECK(text.substr(text.find("\nFAIL  ")) ==
          one + one + "\nMend the first failure first: others often follow from it.\n");
}

TEST_CASE("text: an untouched skeleton is told the first step, not its failures") {
    Grading grading = example();
    grading.untouched = true;
    grading.checked.tests = {test("add: every element is right", 0, 10, Verdict::fail)};
    CHECK(grading_text(grading, kCommand, {}) ==
          R"(Lab 02: Vector add, labs/02-vector-add/vector_add.cu

    0 /10   FAIL   add: every element is right
  ----------------
    0 /10   points

This file is still as it was handed out. Begin here:
    Open vector_add.cu at TODO(1/3).
    Then:  ./lab grade 02
)");
}

TEST_CASE("text: full marks with an inconclusive race, warnings and weak isolation") {
    Grading grading = example();
    TestResult race = test("add: fast", 4, 4, Verdict::inconclusive);
    race.race = RaceResult{true, "time", 0.45, 0.46, 0.44, 0.47};
    race.output = "hello\n";
    grading.checked.tests = {race};
    grading.checked.isolation = "accidents only";
    grading.checked.isolation_note = "namespaces are off.";
    grading.build_message = "a.cu(3): warning: unused\n";
    CHECK(grading_text(grading, kCommand, {}) ==
          R"(Lab 02: Vector add, labs/02-vector-add/vector_add.cu

nvcc warns (that costs no points):

a.cu(3): warning: unused

    4 / 4   INCONCLUSIVE   add: fast [0.46x the reference]
  ----------------
    4 / 4   points

INCONCLUSIVE  add: fast
      The measurement cannot tell: 0.44x to 0.47x the reference, and 0.45x is wanted.
      It costs no points.
      Your program printed:
        hello

Isolation guards against accidents only: namespaces are off.

Full marks. What comes next:  ./lab next
)");
}

TEST_CASE("text: a build that failed shows the compiler's words and the command") {
    Grading grading = example();
    grading.built = false;
    grading.build_message = "a.cu(2): error: expected an expression\n";
    CHECK(grading_text(grading, kCommand, {}) ==
          R"(Lab 02: Vector add, labs/02-vector-add/vector_add.cu

labs/02-vector-add/vector_add.cu does not build:

a.cu(2): error: expected an expression

Mend the first error first: later ones often follow from it. Then:
    ./lab grade 02
)");
}

TEST_CASE("text: colour only when asked for") {
    Grading grading = example();
    grading.checked.tests = {test("add: right", 4, 4, Verdict::pass)};
    CHECK(grading_text(grading, kCommand, {}).find('\x1b') == std::string::npos);
    CHECK(grading_text(grading, kCommand, {true}).find("\x1b[32mpass\x1b[0m") != std::string::npos);
}

TEST_CASE("text: what a submission says cannot move the cursor") {
    const std::string clear = "\x1b[2J", shown = "^[[2J";
    Grading grading = example();
    grading.submission.shown = "a" + clear + ".cu";
    TestResult failed = test("add: right", 0, 4, Verdict::fail);
    failed.message = "the last that it printed: " + clear;
    failed.diagnosis = "look at " + clear;
    failed.output = clear + "10 /10 points\n";
    failed.place = Place{"b" + clear + ".cu", 3};
    TestResult skipped = test("add: fast", 0, 4, Verdict::not_run);
    skipped.message = "not run: " + clear;
    grading.checked.tests = {failed, skipped};
    grading.checked.message = "it ended: " + clear;
    grading.build_message = "warning: " + clear;
    const std::string text = grading_text(grading, "./lab grade 02 --file " + clear, {});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("        " + shown + "10 /10 points\n") != std::string::npos);
    grading.built = false;
    CHECK(grading_text(grading, clear, {}).find('\x1b') == std::string::npos);
    CHECK(cases_text(grading, clear, clear, {}).find('\x1b') == std::string::npos);
}

TEST_CASE("text: words for a shell") {
    CHECK(shell_word("plain-word_1.cu") == "plain-word_1.cu");
    CHECK(shell_word("two words") == "\"two words\"");
    CHECK(shell_word("") == "\"\"");
    CHECK(shell_word("a \"b\" $c `d` \\e") == "\"a \\\"b\\\" \\$c \\`d\\` \\\\e\"");
}

TEST_CASE("text: prose is wrapped between words, paragraphs stay") {
    CHECK(wrapped("one two three\n\nfour", 2, 10) == "  one two\n  three\n\n  four\n");
    CHECK(wrapped("a-word-longer-than-the-line b", 0, 10) == "a-word-longer-than-the-line\nb\n");
    CHECK(wrapped("") == "");
}

TEST_CASE("text: an inconclusive race says first who disturbed it") {
    Grading grading = example();
    TestResult race = test("add: fast", 4, 4, Verdict::inconclusive);
    race.race = RaceResult{true, "time", 0.45, 0.31, 0.3, 0.32};
    race.message =
        "Another process used the GPU: pid 7 (train), up to 90 % of the time.\n"
        "Times taken meanwhile say nothing. Grade again when that is over.\n";
    grading.checked.tests = {race};
    const std::string text = grading_text(grading, kCommand, {});
    CHECK(text.find(R"(
INCONCLUSIVE  add: fast
      Another process used the GPU: pid 7 (train), up to 90 % of the time.
      Times taken meanwhile say nothing. Grade again when that is over.
      The measurement cannot tell: 0.30x to 0.32x the reference, and 0.45x is wanted.
      It costs no points.
)") != std::string::npos);
}
