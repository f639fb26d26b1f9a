#include "core/results.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <nlohmann/json.hpp>

#include "core/files.h"

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

TEST_CASE("results: races, by time and by counts") {
    auto line = nlohmann::json::parse(test_line("inconclusive", 3, 3));
    line["race"] = {
        {"judged_on", "time"}, {"threshold", 0.45}, {"ratio", 0.46}, {"low", 0.44}, {"high", 0.47}};
    const auto timed = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].race;
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
    const auto spoiled = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].race;
    REQUIRE(spoiled);
    CHECK(spoiled->spread == 0.01);
    CHECK(spoiled->disturbed_by == std::vector<std::string>{"The GPU was hot"});
    line["race"] = {{"judged_on", "counts"}, {"threshold", 0.45}, {"ratio", 0.5}};
    const auto counted = read_checker_lines(line.dump() + "\n" + kEnd).tests[0].race;
    REQUIRE(counted);
    CHECK_FALSE(counted->timed);
    CHECK(counted->ratio == 0.5);
    CHECK(counted->low == 0.5);
    CHECK(counted->high == 0.5);
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

TEST_CASE("results: points are added, and kept with the best so far") {
    const TemporaryFolder folder;
    Project project;
    project.state = folder.path();
    CHECK_FALSE(standing_of(project, "02-a"));

    keep(project, graded(test_line("pass", 4, 4) + test_line("fail", 0, 3)));
    auto standing = standing_of(project, "02-a");
    REQUIRE(standing);
    CHECK(standing->points == 4);
    CHECK(standing->max_points == 7);
    CHECK(standing->best_points == 4);
    CHECK(standing->time == "2026-01-31T12:00:00Z");
    CHECK(standing->tests.size() == 2);

    keep(project, graded(test_line("fail", 0, 4) + test_line("fail", 0, 3)));
    standing = standing_of(project, "02-a");
    REQUIRE(standing);
    CHECK(standing->points == 0);
    CHECK(standing->best_points == 4);

    write_atomically(folder.path() / "results/02-a.jsonl", "{\"type\":\"grading\"}\n");
    CHECK_FALSE(standing_of(project, "02-a"));
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
