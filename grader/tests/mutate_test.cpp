// `lab dev mutate`, end to end: mutants that a test rejects, and one that no test can.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <set>

#include "grading.h"

using namespace lab::e2e;
using Catch::Matchers::ContainsSubstring;

namespace {

Grading mutate(const std::string& only, const std::string& limit = "100") {
    return run_lab(
        {"dev", "mutate", "02", "--only", only, "--limit", limit, "--device", "vgpu", "--json"});
}

}  // namespace

TEST_CASE("mutate: a mutant without the guard is killed by the test that sees it") {
    const Grading run = mutate("guard: (i < n)");
    INFO(run.text);
    CHECK(run.exit_code == 0);
    const auto line = run.line("mutant");
    REQUIRE(line.is_object());
    CHECK(line.at("outcome") == "killed");
    CHECK(line.at("test") == "launch_vector_add: up to 256 elements");
    CHECK(line.at("diff") == "-    if (i < n) {\n+    if (true) {\n");
    CHECK(run.line("mutation").at("killed") == 1);
    CHECK(run.line("mutation").at("share_rejected") == 1.0);
}

TEST_CASE("mutate: a mutant that only a limit ends is stopped, not killed") {
    const Grading run = mutate("operator: / -> *");
    INFO(run.text);
    CHECK(run.exit_code == 0);
    CHECK(run.line("mutant").at("outcome") == "stopped");
    CHECK_THAT(run.line("mutant").at("why").get<std::string>(),
               ContainsSubstring("never finished"));
    CHECK(run.line("mutation").at("killed") == 0);
    CHECK(run.line("mutation").at("stopped") == 1);
    CHECK(run.line("mutation").at("share_rejected") == 1.0);
}

TEST_CASE("mutate: --limit grades a sample from all over the solution") {
    const Grading run = mutate("literal", "2");
    INFO(run.text);
    CHECK(run.line("mutation").at("mutants") == 2);
    std::set<int> lines;
    for (const auto& line : run.lines)
        if (line.at("type") == "mutant") lines.insert(line.at("line").get<int>());
    CHECK(lines.size() == 2);
}

TEST_CASE("mutate: a block without elements is no mistake, and survives") {
    const Grading run = mutate("operator: - -> +");
    INFO(run.text);
    CHECK(run.exit_code == 0);
    CHECK(run.line("mutant").at("outcome") == "survived");
    CHECK(run.line("mutation").at("share_rejected") == 0.0);
}

TEST_CASE("mutate: a label that no mutant has is refused with an example") {
    const Grading run = mutate("no such thing");
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.line("error").at("message").get<std::string>(),
               ContainsSubstring("A label:  34: literal: 1 -> 0"));
}
