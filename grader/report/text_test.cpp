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
    grading.device.name = "virtual GPU";
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

TEST_CASE("text: the table, every failure, and the commands to run next") {
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
    passed.output = "hello\n10 / 10 points\n";
    grading.checked.tests = {failed, waiting, passed, waiting_too};
    CHECK(grading_text(grading, kCommand, {}) ==
          R"(Lab 02  Vector add    2 / 10 points    virtual GPU
labs/02-vector-add/vector_add.cu

  FAIL   add: every element is right           0 / 4
  -      add: fast                    not run  0 / 3
  ok     add: n = 0                            2 / 2
  -      add: no leak                 not run  0 / 1

FAIL  add: every element is right
      labs/02-vector-add/vector_add.cu:17
      n = 257: element 256 is wrong
          expected  1.5
          got       0
      Only block 0 is right: blockIdx is missing from the index.

      Hint    ./lab hint 02 --task 1
      Again   ./lab grade 02 --test "add: every element is right" --seed 7

ok  add: n = 0
      Your program printed:
      | hello
      | 10 / 10 points

not run  add: fast
not run  add: no leak
      It needs "add: every element is right" to pass first.
)");
}

TEST_CASE("text: long prose in messages is wrapped; the source and the values follow") {
    Grading grading = example();
    grading.submission.text = "line 1\nline 2\n";
    TestResult failed = test("add: right", 0, 1, Verdict::fail);
    failed.task = 9;
    failed.message =
        "f(n = 1000): the kernel reads 4 bytes just past the end of a (n = 1000 floats) at "
        "a.cu:12\n";
    failed.places = {{{grading.submission.shown, 2}, "thread 3 reads", ""}};
    failed.values = ValuesWindow{"c", 2, 1, 1, "", {}};
    failed.values->around = {{0, "1", "1", ValuesWindow::State::right},
                             {1, "2", "3", ValuesWindow::State::wrong}};
    grading.checked.tests = {failed};
    const std::string text = grading_text(grading, kCommand, {});
    CHECK(text.substr(text.find("\nFAIL  ")) == R"(
FAIL  add: right
      f(n = 1000): the kernel reads 4 bytes just past the end of a (n = 1000
      floats) at a.cu:12
        labs/02-vector-add/vector_add.cu:2
          2 | line 2
            | ^ thread 3 reads
        index      0   1
        expected   1   2
        got        1   3
                       ^

      Again   ./lab grade 02 --test "add: right" --seed 7
)");
}

TEST_CASE("text: full marks with an inconclusive race, warnings and weak isolation") {
    Grading grading = example();
    TestResult speed = test("add: fast", 4, 4, Verdict::inconclusive);
    speed.speed = SpeedResult{true, "time", 0.45, 0.46, 0.44, 0.47};
    speed.output = "hello\n";
    grading.checked.tests = {speed};
    grading.checked.isolation = "accidents only";
    grading.checked.isolation_note = "namespaces are off.";
    grading.build_message = "a.cu(3): warning: unused\n";
    CHECK(grading_text(grading, kCommand, {}) ==
          R"(Lab 02  Vector add    4 / 4 points    virtual GPU
labs/02-vector-add/vector_add.cu

nvcc warns (that costs no points):

a.cu(3): warning: unused

  ok?    add: fast  inconclusive  4 / 4

INCONCLUSIVE  add: fast
      The measurement cannot tell: 0.44x to 0.47x the reference's speed, and
      0.45x is required.
      It costs no points.
      Your program printed:
      | hello

Isolation guards against accidents only: namespaces are off.

Full marks.  Next:  ./lab review 02, ./lab next
)");
}

TEST_CASE("text: flags are shown with what was seen") {
    Grading grading = example();
    TestResult flagged = test("add: right", 0, 4, Verdict::fail);
    flagged.flags = {{"forbidden_call", "It called socket."}};
    grading.checked.tests = {flagged};
    CHECK(grading_text(grading, kCommand, {})
              .ends_with("\n\nFlagged for the instructor (forbidden_call): It called socket.\n"));
}

TEST_CASE("text: an inconclusive race says first who disturbed it") {
    Grading grading = example();
    TestResult speed = test("add: fast", 4, 4, Verdict::inconclusive);
    speed.speed = SpeedResult{true, "time", 0.45, 0.31, 0.3, 0.32};
    speed.message =
        "Another process used the GPU: pid 7 (train), up to 90 % of the time.\n"
        "Times taken meanwhile say nothing. Grade again when that is over.\n";
    grading.checked.tests = {speed};
    const std::string text = grading_text(grading, kCommand, {});
    CHECK(text.find(R"(
INCONCLUSIVE  add: fast
      Another process used the GPU: pid 7 (train), up to 90 % of the time.
      Times taken meanwhile say nothing. Grade again when that is over.
      The measurement cannot tell: 0.30x to 0.32x the reference's speed, and
      0.45x is required.
      It costs no points.
)") != std::string::npos);
}

TEST_CASE("text: a build that failed shows all of the compiler's words and the command") {
    Grading grading = example();
    grading.built = false;
    grading.build_message = "a.cu(2): error: expected an expression\n";
    CHECK(grading_text(grading, kCommand, {}) ==
          R"(Lab 02: Vector add, labs/02-vector-add/vector_add.cu

labs/02-vector-add/vector_add.cu does not build:

a.cu(2): error: expected an expression

Next:  ./lab grade 02   when the first error is fixed
)");
}

TEST_CASE("text: colour only when asked for") {
    Grading grading = example();
    grading.checked.tests = {test("add: right", 4, 4, Verdict::pass)};
    CHECK(grading_text(grading, kCommand, {}).find('\x1b') == std::string::npos);
    TextStyle coloured;
    coloured.colour = true;
    CHECK(grading_text(grading, kCommand, coloured).find("\x1b[32mok\x1b[0m") != std::string::npos);
}

TEST_CASE("text: what a submission says cannot move the cursor") {
    const std::string clear = "\x1b[2J", shown = "^[[2J";
    Grading grading = example();
    grading.submission.shown = "a" + clear + ".cu";
    grading.submission.text = clear;
    TestResult failed = test("add: right", 0, 4, Verdict::fail);
    failed.message = "the last that it printed: " + clear;
    failed.diagnosis = "look at " + clear;
    failed.output = clear + "10 /10 points\n";
    failed.place = Place{"b" + clear + ".cu", 3};
    TestResult marked = failed;
    marked.places = {{{grading.submission.shown, 1}, clear, clear}};
    TestResult skipped = test("add: fast", 0, 4, Verdict::not_run);
    skipped.message = "not run: " + clear;
    grading.checked.tests = {failed, marked, skipped};
    grading.checked.message = "it ended: " + clear;
    grading.build_message = "warning: " + clear;
    const std::string text = grading_text(grading, "./lab grade 02 --file " + clear, {});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("      | " + shown + "10 /10 points\n") != std::string::npos);
    CHECK(cases_text(grading, clear, clear, {}).find('\x1b') == std::string::npos);
    grading.built = false;
    CHECK(grading_text(grading, clear, {}).find('\x1b') == std::string::npos);
    CHECK(cases_text(grading, clear, clear, {}).find('\x1b') == std::string::npos);
    CHECK(heading(grading, {}).find('\x1b') == std::string::npos);
    CHECK(device_line({DeviceKind::gpu, clear, "", clear}, {}).find('\x1b') == std::string::npos);
}
