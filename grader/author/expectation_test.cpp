#include "author/expectation.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "base/failure.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

Grading with_test(Verdict verdict, const std::string& message, const std::string& diagnosis) {
    Grading grading;
    grading.built = true;
    grading.device.kind = DeviceKind::vgpu;
    TestResult test;
    test.name = "add: right";
    test.verdict = verdict;
    test.message = message;
    test.diagnosis = diagnosis;
    grading.checked.tests = {test};
    return grading;
}

}  // namespace

TEST_CASE("expectation: what a wrong submission says of itself") {
    const auto expectations = read_expectations(
        "// Wrong: no guard.\n"
        "// expect vgpu: \"add: right\": \"out of bounds\"\n"
        "// expect gpu: needs sanitizer\n#include \"a.h\"\n",
        "wrong/a.cu");
    REQUIRE(expectations.size() == 2);
    CHECK(expectations[0].device == DeviceKind::vgpu);
    CHECK(expectations[0].test == "add: right");
    CHECK(expectations[0].words == "out of bounds");
    CHECK(expectations[1].device == DeviceKind::gpu);
    CHECK(expectations[1].needs_sanitizer);
}

TEST_CASE("expectation: lines that are not understood, or missing, are named") {
    CHECK_THROWS_MATCHES(
        read_expectations("// Wrong.\n// expect vgpu: add fails\n", "wrong/a.cu"), Failure,
        Message("wrong/a.cu:2: not understood. Write: // expect vgpu: \"NAME OF A TEST\": \"words "
                "of its message\", or: // expect gpu: needs sanitizer, or: "
                "// expect gpu: nothing, or: // expect never: \"words of no message\", or: "
                "// expect flag: KIND"));
    CHECK_THROWS_AS(read_expectations("// expect tpu: \"a\": \"b\"\n", "wrong/a.cu"), Failure);
    CHECK_THROWS_MATCHES(
        read_expectations("// expect vgpu: \"a\": \"b\"\n", "wrong/a.cu"), Failure,
        Message("wrong/a.cu:1: no line \"// expect gpu: ...\" says what must happen."));
}

TEST_CASE("expectation: a wrong submission must fail the named test in the named words") {
    const std::vector<Expectation> expected = {{DeviceKind::vgpu, false, "add: right", "blockIdx"},
                                               {DeviceKind::gpu, false, "another test", "x"}};
    CHECK(unmet(expected, with_test(Verdict::fail, "wrong", "blockIdx is missing")).empty());
    CHECK(unmet(expected, with_test(Verdict::fail, "blockIdx?", "")).empty());
    CHECK(unmet(expected, with_test(Verdict::pass, "", "")) ==
          "\"add: right\" does not fail: pass\n");
    Grading ended = with_test(Verdict::not_run, "not run", "");
    ended.checked.reason = "time limit";
    ended.checked.message = "60 s are over.";
    CHECK(unmet(expected, ended) ==
          "\"add: right\" does not fail: not_run, not run, time limit: 60 s are over.\n");
    CHECK(unmet(expected, with_test(Verdict::fail, "wrong", "")) ==
          "\"add: right\" fails in other words.\n  expected  blockIdx\n  got       wrong\n\n");
    CHECK(unmet({{DeviceKind::vgpu, false, "gone", "x"}}, with_test(Verdict::fail, "", "")) ==
          "There is no test \"gone\".\n");
    Grading unbuilt;
    unbuilt.build_message = "error\n";
    CHECK(unmet(expected, unbuilt) == "It does not build:\nerror\n");
}

TEST_CASE("expectation: the only test that must run, if all that is expected is about one") {
    const Expectation here{DeviceKind::vgpu, false, "add: right", "blockIdx"},
        other{DeviceKind::vgpu, false, "another", "x"},
        on_gpu{DeviceKind::gpu, false, "on a GPU", "x"},
        nothing{DeviceKind::vgpu, false, "", "", true};
    Expectation never = here, flag = here;
    never.never = true;
    flag.flag = "host work";
    CHECK(only_test_of({here, on_gpu, here}, DeviceKind::vgpu) == "add: right");
    CHECK(only_test_of({here, on_gpu}, DeviceKind::gpu) == "on a GPU");
    CHECK(only_test_of({here, other}, DeviceKind::vgpu).empty());
    CHECK(only_test_of({here, never}, DeviceKind::vgpu).empty());
    CHECK(only_test_of({here, flag}, DeviceKind::vgpu).empty());
    CHECK(only_test_of({nothing}, DeviceKind::vgpu).empty());
    CHECK(only_test_of({here}, DeviceKind::gpu).empty());
}

TEST_CASE("expectation: a mistake that needs a sanitizer is expected only where there is one") {
    const auto expectations = read_expectations(
        "// expect vgpu: \"add: right\": \"race\"\n"
        "// expect gpu: needs sanitizer: \"add: right\": \"race\"\n",
        "wrong/a.cu");
    REQUIRE(expectations.size() == 2);
    CHECK(expectations[1].needs_sanitizer);
    CHECK(expectations[1].words == "race");
    Grading passed = with_test(Verdict::pass, "", "");
    passed.device.kind = DeviceKind::gpu;
    CHECK(unmet(expectations, passed) == "\"add: right\" does not fail: pass\n");
    passed.checked.unchecked = "races: not checked";
    CHECK(unmet(expectations, passed).empty());
}

TEST_CASE("expectation: nothing is expected of a device that does not show the mistake") {
    const auto expectations = read_expectations(
        "// expect vgpu: \"add: right\": \"race\"\n// expect gpu: nothing\n", "wrong/a.cu");
    REQUIRE(expectations.size() == 2);
    Grading passed = with_test(Verdict::pass, "", "");
    CHECK_FALSE(unmet(expectations, passed).empty());
    passed.device.kind = DeviceKind::gpu;
    CHECK(unmet(expectations, passed).empty());
}

TEST_CASE("expectation: what a wrong submission only looks like is never said of it") {
    const auto expectations = read_expectations(
        "// expect vgpu: \"add: right\": \"wrong\"\n// expect gpu: nothing\n"
        "// expect never: \"blockIdx is missing\"\n",
        "wrong/a.cu");
    REQUIRE(expectations.size() == 3);
    CHECK(expectations[2].never);
    CHECK(unmet(expectations, with_test(Verdict::fail, "wrong", "threadIdx is missing")).empty());
    Grading misled = with_test(Verdict::fail, "wrong", "blockIdx is missing");
    const std::string broken =
        "\"add: right\" says what it never must.\n  never     blockIdx is missing\n"
        "  got       wrong\nblockIdx is missing\n";
    CHECK(unmet(expectations, misled) == broken);
    misled.device.kind = DeviceKind::gpu;
    CHECK(unmet(expectations, misled) == broken);
}

TEST_CASE("expectation: a flag is expected, or is none") {
    const auto expected = read_expectations(
        "// expect vgpu: \"a\": \"b\"\n// expect gpu: nothing\n// expect flag: host_result\n",
        "wrong/a.cu");
    REQUIRE(expected.size() == 3);
    CHECK(expected[2].flag == "host_result");
    Grading grading = with_test(Verdict::fail, "b", "");
    CHECK(wrong_flags({}, grading).empty());
    CHECK(wrong_flags(expected, grading) == "It is not flagged: host_result\n");
    grading.device.kind = DeviceKind::gpu;
    CHECK(wrong_flags(expected, grading).empty());
    grading.device.kind = DeviceKind::vgpu;
    grading.checked.tests[0].flags = {{"host_result", "sum"}};
    CHECK(wrong_flags(expected, grading).empty());
    CHECK(wrong_flags({}, grading) == "It is flagged: host_result: sum\n");
    grading.checked.tests[0].flags.push_back({"leftover", "two"});
    CHECK(wrong_flags(expected, grading) == "It is flagged: leftover: two\n");
}

TEST_CASE("expectation: a message must not hold code that the student has to find") {
    const Answers answers("// BEGIN SOLUTION\nif (i < n) c[i] = a[i] + b[i];\n// END SOLUTION\n",
                          "", {});
    const Grading grading =
        with_test(Verdict::fail, "Thread 1000 has no element.", "Write `if (i < n)`.");
    CHECK(giveaways(answers, "c[i] = a[i] + b[i];", grading) ==
          "\"add: right\" gives the answer away.\n"
          "  code      if (i < n)\n"
          "  from      the solution\n"
          "  got       Thread 1000 has no element.\nWrite `if (i < n)`.\n");
    CHECK(giveaways(answers, "if (i < n) c[i] = a[i];", grading).empty());
}

TEST_CASE("expectation: written as it is read") {
    const std::string lines =
        "// expect vgpu: \"add: right\": \"race\"\n"
        "// expect gpu: needs sanitizer: \"add: right\": \"race\"\n"
        "// expect gpu: needs sanitizer\n"
        "// expect gpu: nothing\n"
        "// expect never: \"blockIdx is missing\"\n"
        "// expect flag: host_result\n";
    CHECK(expectation_lines(read_expectations(lines, "wrong/a.cu")) == lines);
}
