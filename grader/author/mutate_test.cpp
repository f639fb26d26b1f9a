#include "author/mutate.h"

#include <catch2/catch_test_macros.hpp>

using namespace lab;

namespace {

TestResult test(const std::string& name, Verdict verdict, const std::string& what = "") {
    TestResult result;
    result.name = name;
    result.verdict = verdict;
    result.what = what;
    result.message = what.empty() ? "" : "f(n = 1): " + what;
    return result;
}

TestResult endless(const std::string& name) {
    TestResult result = test(name, Verdict::fail, "k never finished");
    result.finding = "instruction_limit";
    return result;
}

MutantResult judged(std::vector<TestResult> tests) {
    Grading grading;
    grading.built = true;
    grading.checked.tests = std::move(tests);
    MutantResult result;
    judge(grading, result);
    return result;
}

}  // namespace

TEST_CASE("mutate: the first test that fails kills") {
    const MutantResult result = judged({test("a", Verdict::pass), test("b", Verdict::fail, "wrong"),
                                        test("c", Verdict::fail, "slow")});
    CHECK(result.outcome == MutantOutcome::killed);
    CHECK(result.test == "b");
    CHECK(result.why == "f(n = 1): wrong");
    // Not even a message is needed.
    CHECK(judged({test("a", Verdict::fail)}).outcome == MutantOutcome::killed);
}

TEST_CASE("mutate: limits alone stop, they do not kill") {
    const MutantResult stopped = judged({endless("a"), test("b", Verdict::not_run)});
    CHECK(stopped.outcome == MutantOutcome::stopped);
    CHECK(stopped.test == "a");
    CHECK(judged({test("a", Verdict::fail, "did not finish within 10 s: it was in a loop.")})
              .outcome == MutantOutcome::stopped);
    const MutantResult killed = judged({endless("a"), test("b", Verdict::fail, "wrong")});
    CHECK(killed.outcome == MutantOutcome::killed);
    CHECK(killed.test == "b");
}

TEST_CASE("mutate: a grading that ends early") {
    Grading grading;
    grading.built = true;
    grading.checked.reason = "time limit";
    grading.checked.message = "It took long.";
    MutantResult result;
    judge(grading, result);
    CHECK(result.outcome == MutantOutcome::stopped);
    CHECK(result.why == "time limit: It took long.");
    grading.checked.reason = "submission does not start";
    judge(grading, result);
    CHECK(result.outcome == MutantOutcome::killed);
}

TEST_CASE("mutate: full marks, with and without a doubt, and no program") {
    CHECK(judged({test("a", Verdict::pass), test("b", Verdict::not_run)}).outcome ==
          MutantOutcome::survived);
    CHECK(judged({test("a", Verdict::pass), test("b", Verdict::inconclusive)}).outcome ==
          MutantOutcome::inconclusive);
    Grading grading;
    grading.build_message = "no such name";
    MutantResult result;
    judge(grading, result);
    CHECK(result.outcome == MutantOutcome::not_compiled);
    CHECK(result.why == "no such name");
}
