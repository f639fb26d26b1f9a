#include "core/results.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "base/files.h"

using namespace lab;
using Catch::Matchers::Message;

namespace {

constexpr const char* kStart =
    R"({"type":"start","schema":1,"lab":"02-a","isolation":"accidents only","isolation_note":"off"})"
    "\n";
constexpr const char* kEnd = R"({"type":"end","points":4,"max_points":7,"reason":"","message":""})"
                             "\n";

std::string test_line(const char* verdict, int earned, int points) {
    nlohmann::json line = {{"type", "test"},        {"name", "add: right"}, {"task", 1},
                           {"kind", "correctness"}, {"points", points},     {"earned", earned},
                           {"verdict", verdict},    {"message", "said"},    {"diagnosis", ""},
                           {"place", nullptr},      {"case", ""},           {"output", ""},
                           {"findings", {1, 2}},    {"race", nullptr},      {"seconds", 0.25}};
    if (std::string(verdict) == "fail") line["place"] = {{"file", "a.cu"}, {"line", 17}};
    return line.dump() + "\n";
}

Grading graded(const std::string& tests) {
    Grading grading;
    grading.lab.name = "02-a";
    grading.time = "2026-01-31T12:00:00Z";
    grading.seed = "5";
    grading.built = true;
    grading.checked = read_checker_lines(kStart + tests + kEnd);
    return grading;
}

}  // namespace

TEST_CASE("results: the checker's lines become values") {
    const Checked checked =
        read_checker_lines(kStart + test_line("fail", 0, 3) + test_line("pass", 4, 4) + kEnd);
    CHECK(checked.isolation == "accidents only");
    CHECK(checked.isolation_note == "off");
    REQUIRE(checked.tests.size() == 2);
    const TestResult& failed = checked.tests[0];
    CHECK(failed.name == "add: right");
    CHECK(failed.verdict == Verdict::fail);
    REQUIRE(failed.place);
    CHECK(failed.place->file == "a.cu");
    CHECK(failed.place->line == 17);
    CHECK(failed.seconds == 0.25);
    CHECK_FALSE(checked.tests[1].place);
    CHECK(checked.lines.size() == 4);
}

TEST_CASE("results: where the checker's time went") {
    const Checked checked =
        read_checker_lines(std::string(kStart) +
                           R"({"type":"end","timings":[{"what":"calls","seconds":0.5}]})" + "\n");
    REQUIRE(checked.timings.size() == 1);
    CHECK(checked.timings[0].what == "calls");
    CHECK(checked.timings[0].seconds == 0.5);
}

TEST_CASE("results: flags of tests and of the end, each kind once") {
    auto line = nlohmann::json::parse(test_line("fail", 0, 3));
    line["flags"] = {{{"kind", "forbidden_call"}, {"evidence", "It called fork."}}};
    const std::string end =
        R"({"type":"end","flags":[{"kind":"forged_message","evidence":"It wrote to us."}]})";
    const Checked checked = read_checker_lines(line.dump() + "\n" + line.dump() + "\n" +
                                               test_line("pass", 4, 4) + end + "\n");
    CHECK(checked.tests[0].flags.size() == 1);
    CHECK(checked.tests[2].flags.empty());
    const std::vector<Flag> all = flags_of(checked);
    REQUIRE(all.size() == 2);
    CHECK(all[0].kind == "forbidden_call");
    CHECK(all[0].evidence == "It called fork.");
    CHECK(all[1].kind == "forged_message");
    CHECK(flags_of(graded(test_line("pass", 4, 4)).checked).empty());
}

TEST_CASE("results: races, by time and by counts") {
    auto line = nlohmann::json::parse(test_line("inconclusive", 3, 3));
    line["race"] = {
        {"judged_on", "time"}, {"threshold", 0.45}, {"ratio", 0.46}, {"low", 0.44}, {"high", 0.47}};
    const auto timed = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].speed;
    REQUIRE(timed);
    CHECK(timed->timed);
    CHECK(timed->threshold == 0.45);
    CHECK(timed->ratio == 0.46);
    CHECK(timed->low == 0.44);
    CHECK(timed->high == 0.47);
    CHECK(timed->spread == 0);
    CHECK(timed->disturbed_by.empty());
    line["race"]["spread"] = 0.01;
    line["race"]["disturbed_by"] = {"The GPU was hot"};
    const auto spoiled = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].speed;
    REQUIRE(spoiled);
    CHECK(spoiled->spread == 0.01);
    CHECK(spoiled->disturbed_by == std::vector<std::string>{"The GPU was hot"});
    CHECK(spoiled->submission_ms == 0);
    line["race"]["submission_ms"] = 0.25;
    line["race"]["reference_ms"] = nullptr;  // JSON has no infinity
    const auto medians = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].speed;
    REQUIRE(medians);
    CHECK(medians->submission_ms == 0.25);
    CHECK(medians->reference_ms == 0);
    line["race"] = {{"judged_on", "counts"}, {"threshold", 0.45}, {"ratio", 0.5}};
    const auto counted = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].speed;
    REQUIRE(counted);
    CHECK_FALSE(counted->timed);
    CHECK(counted->ratio == 0.5);
    CHECK(counted->low == 0.5);
    CHECK(counted->high == 0.5);
    CHECK(counted->parts.empty());
    line["race"]["counts"] = {{{"name", "L2 cache"},
                               {"count", "34M sectors"},
                               {"submission_us", 488.0},
                               {"reference_us", 30.5},
                               {"is_cause", true}}};
    const auto in_parts = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].speed;
    REQUIRE(in_parts);
    REQUIRE(in_parts->parts.size() == 1);
    CHECK(in_parts->parts[0].name == "L2 cache");
    CHECK(in_parts->parts[0].count == "34M sectors");
    CHECK(in_parts->parts[0].submission_us == 488);
    CHECK(in_parts->parts[0].reference_us == 30.5);
    CHECK(in_parts->parts[0].is_cause);
}

TEST_CASE("results: lines that cannot be true are our fault") {
    const auto check = [](const std::string& text, const std::string& message) {
        CHECK_THROWS_MATCHES(read_checker_lines(text), Failure, Message(message));
    };
    check(kStart + test_line("pass", 4, 4), "The checker stopped before it had graded everything.");
    check("", "The checker stopped before it had graded everything.");
    check(R"({"type":"start","schema":2,"isolation":""})"
          "\n",
          "The checker wrote a result that cannot be read (the schema is another one: the grader's "
          "program is old):\n{\"type\":\"start\",\"schema\":2,\"isolation\":\"\"}");
    CHECK_THROWS_AS(read_checker_lines(kStart + test_line("maybe", 0, 1) + kEnd), Failure);
    CHECK_THROWS_AS(read_checker_lines("{\"type\":\n"), Failure);
}

TEST_CASE("results: exit codes") {
    CHECK(graded(test_line("pass", 4, 4)).exit() == Exit::full_marks);
    CHECK(graded(test_line("pass", 4, 4) + test_line("inconclusive", 3, 3)).exit() ==
          Exit::full_marks);
    CHECK(graded(test_line("pass", 4, 4) + test_line("not_run", 0, 3)).exit() ==
          Exit::tests_failed);
    CHECK(graded(test_line("fail", 0, 0)).exit() == Exit::tests_failed);
    CHECK(graded("").exit() == Exit::tests_failed);
    Grading late = graded(test_line("pass", 4, 4));
    late.checked.reason = "time limit";
    CHECK(late.exit() == Exit::tests_failed);
    Grading unbuilt;
    CHECK(unbuilt.exit() == Exit::build);
}

TEST_CASE("results: all lines are JSON, whatever bytes the compiler printed") {
    Grading grading = graded(test_line("pass", 4, 4));
    grading.build_message = "caf\xE9";
    const auto lines = to_lines(grading);
    REQUIRE(lines.size() == 6);
    const char* types[] = {"grading", "build", "start", "test", "end", "total"};
    for (std::size_t i = 0; i < lines.size(); ++i)
        CHECK(nlohmann::json::parse(lines[i]).at("type") == types[i]);
    CHECK(nlohmann::json::parse(lines[5]).at("exit_code") == 0);
}

TEST_CASE("results: what a failure is about becomes values, and older lines have none of it") {
    auto line = nlohmann::json::parse(test_line("fail", 0, 3));
    line["call"] = "add(n = 257)";
    line["what"] = "the kernel reads too far";
    line["other_cases"] = {"n = 5", "n = 7"};
    line["findings"] = {{{"check", "race"}}, {{"check", "leak"}}};
    line["places"] = {{{"file", "a.cu"}, {"line", 3}, {"label", "here"}, {"name", "a"}}};
    line["values"] = {
        {"name", "c"},
        {"elements", 257},
        {"wrong", 1},
        {"first_wrong", 256},
        {"tolerance", "0.1"},
        {"around",
         {{{"index", 255}, {"expected", "1"}, {"got", "1"}, {"state", "right"}},
          {{"index", 256}, {"expected", "2"}, {"got", "0"}, {"state", "never_written"}}}}};
    const Checked checked = read_checker_lines(kStart + line.dump() + "\n" + kEnd);
    const TestResult& test = checked.tests.at(0);
    CHECK(test.call == "add(n = 257)");
    CHECK(test.what == "the kernel reads too far");
    CHECK(test.other_cases == std::vector<std::string>{"n = 5", "n = 7"});
    CHECK(test.finding == "race");
    REQUIRE(test.places.size() == 1);
    CHECK(test.places[0].place.line == 3);
    CHECK(test.places[0].label == "here");
    REQUIRE(test.values);
    CHECK(test.values->first_wrong == 256);
    REQUIRE(test.values->around.size() == 2);
    CHECK(test.values->around[0].state == ValuesWindow::State::right);
    CHECK(test.values->around[1].state == ValuesWindow::State::never_written);

    const TestResult older =
        read_checker_lines(kStart + test_line("fail", 0, 3) + kEnd).tests.at(0);
    CHECK(older.call.empty());
    CHECK(older.places.empty());
    CHECK_FALSE(older.values);
}

TEST_CASE("results: a grading is read back from its lines") {
    Grading grading = graded(test_line("fail", 0, 3) + test_line("pass", 4, 4));
    grading.lab.title = "A";
    grading.submission.shown = "a.cu";
    grading.device = {DeviceKind::gpu, "NVIDIA H200", "sm_90", "it is there"};
    grading.tasks = {{1, true, 0}, {2, false, 17}};
    grading.build_message = "a.cu(3): warning";
    grading.seconds = {1, 2, 4};
    std::string lines;
    for (const std::string& line : to_lines(grading)) lines += line + "\n";
    const Grading again = read_grading(lines);
    CHECK(to_lines(again) == to_lines(grading));
    CHECK(again.tasks.at(1).todo_line == 17);
    CHECK_THROWS_MATCHES(read_grading("{\"type\":\"build\"}\n"), Failure,
                         Catch::Matchers::MessageMatches(
                             Catch::Matchers::StartsWith("This is no line of a grading (")));
}

TEST_CASE("results: the failure to look at first is of a task that was begun") {
    TestResult passed, first, second;
    passed.verdict = Verdict::pass;
    passed.task = 2;
    first.verdict = second.verdict = Verdict::fail;
    first.task = 1;
    second.task = 2;
    const std::vector<TestResult> tests = {passed, first, second};
    CHECK(first_failure(tests, {}) == &tests[1]);
    CHECK(first_failure(tests, {{1, false, 5}, {2, true, 9}}) == &tests[2]);
    CHECK(first_failure(tests, {{1, false, 5}, {2, false, 9}}) == nullptr);
    CHECK(first_failure({passed}, {}) == nullptr);
}
